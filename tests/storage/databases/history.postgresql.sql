-- 0000
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));

INSERT INTO alembic_version VALUES ('0000');

-- 0001
CREATE TABLE matches (
    id VARCHAR(40) NOT NULL,
    game VARCHAR(40) NOT NULL,
    status VARCHAR(10) NOT NULL,
    public BOOLEAN NOT NULL,
    rated BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    tended BOOLEAN NOT NULL,
    owner VARCHAR(40),
    row TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX matches_listed ON matches (public, status, created);

CREATE INDEX matches_tended ON matches (tended, owner);

CREATE TABLE entries (
    match VARCHAR(40) NOT NULL,
    version INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (match, version)
);

CREATE TABLE sitters (
    match VARCHAR(40) NOT NULL,
    player VARCHAR(40) NOT NULL,
    PRIMARY KEY (player, match)
);

CREATE INDEX sitters_match ON sitters (match);

CREATE TABLE players (
    id VARCHAR(40) NOT NULL,
    name VARCHAR(40) NOT NULL,
    login VARCHAR(80),
    password VARCHAR(200),
    PRIMARY KEY (id),
    UNIQUE (login)
);

CREATE TABLE tokens (
    id VARCHAR(40) NOT NULL,
    player VARCHAR(40) NOT NULL,
    label VARCHAR(40) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(player) REFERENCES players (id)
);

CREATE INDEX ix_tokens_player ON tokens (player);

CREATE TABLE ratings (
    player VARCHAR(40) NOT NULL,
    game VARCHAR(40) NOT NULL,
    mu FLOAT NOT NULL,
    sigma FLOAT NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (player, game)
);

CREATE INDEX ratings_best ON ratings (game, mu);

CREATE TABLE rated (
    match VARCHAR(40) NOT NULL,
    PRIMARY KEY (match)
);

CREATE TABLE processes (
    id VARCHAR(40) NOT NULL,
    seen BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE secrets (
    name VARCHAR(40) NOT NULL,
    value VARCHAR(100) NOT NULL,
    PRIMARY KEY (name)
);

UPDATE alembic_version SET version_num = '0001';

-- 0002
ALTER TABLE matches ADD COLUMN host VARCHAR(40) DEFAULT '' NOT NULL;

UPDATE matches SET host = row::json -> 'terms' ->> 'host';

CREATE INDEX matches_hosted ON matches (host, status);

UPDATE alembic_version SET version_num = '0002';

-- 0003
CREATE TABLE sessions (
    id VARCHAR(40) NOT NULL,
    player VARCHAR(40) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    device VARCHAR(80) NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL,
    exchanged BOOLEAN NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_sessions_player ON sessions (player);

CREATE INDEX sessions_used ON sessions (used);

CREATE TABLE recovery_codes (
    player VARCHAR(40) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (player, digest)
);

CREATE TABLE old_cookies (
    player VARCHAR(40) NOT NULL,
    retired BIGINT NOT NULL,
    PRIMARY KEY (player)
);

ALTER TABLE tokens ADD COLUMN scope VARCHAR(10) DEFAULT 'play' NOT NULL;

INSERT INTO secrets (name, value) SELECT 'cookies-until', '1826492769670' FROM secrets WHERE name = 'cookies';

UPDATE alembic_version SET version_num = '0003';

-- 0004
CREATE TABLE reviews (
    id VARCHAR(64) NOT NULL,
    review TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_reviews_created ON reviews (created);

UPDATE alembic_version SET version_num = '0004';

-- 0005
CREATE TABLE puzzle_answers (
    player VARCHAR(40) NOT NULL,
    game VARCHAR(40) NOT NULL,
    puzzle VARCHAR(40) NOT NULL,
    solved BOOLEAN NOT NULL,
    at BIGINT NOT NULL,
    due BIGINT NOT NULL,
    card TEXT NOT NULL,
    PRIMARY KEY (player, game, puzzle)
);

CREATE TABLE puzzle_standings (
    player VARCHAR(40) NOT NULL,
    game VARCHAR(40) NOT NULL,
    mean FLOAT NOT NULL,
    deviation FLOAT NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    best INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, game)
);

CREATE TABLE puzzle_ratings (
    puzzle VARCHAR(40) NOT NULL,
    mean FLOAT NOT NULL,
    deviation FLOAT NOT NULL,
    answers INTEGER NOT NULL,
    PRIMARY KEY (puzzle)
);

UPDATE alembic_version SET version_num = '0005';

-- 0006
CREATE TABLE studies (
    id VARCHAR(40) NOT NULL,
    owner VARCHAR(40) NOT NULL,
    name TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    version INTEGER NOT NULL,
    read_key VARCHAR(40),
    write_key VARCHAR(40),
    document TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_studies_owner ON studies (owner);

CREATE TABLE explored (
    match VARCHAR(40) NOT NULL,
    PRIMARY KEY (match)
);

CREATE TABLE explorer (
    scope VARCHAR(40) NOT NULL,
    position VARCHAR(40) NOT NULL,
    action VARCHAR(100) NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (position, scope, action)
);

UPDATE alembic_version SET version_num = '0006';

