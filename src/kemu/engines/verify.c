/* The second verifier of certificates, for Moeraki-Kemu and Mū tōrere, written apart from the first.
 *
 *   cc -O2 -o verify verify.c && gzip -dcf FILE | ./verify
 *
 * It ends with 0 and says what is proved, or with 1 and says why the certificate is refused. docs/certificates.md
 * has the formats. Hollows are bits: bit n is hollow n in rows from the bottom up, in each row from left to right. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
#define COUNT __builtin_popcountll
#define MOST_SETS (1L << 20) /* that one item or one leaf may have */

static char *text, **token, *head_lines[16];
static long tokens, at, nodes, head_count;

static void refuse(const char *why) {
    fprintf(stderr, "refused: token %ld: %s\n", at, why);
    exit(1);
}

static void *reserve(void *old, size_t bytes) {
    void *room = realloc(old, bytes ? bytes : 1);
    if (!room) refuse("not enough memory");
    return room;
}

static const char *here(void) { return at < tokens ? token[at] : (refuse("the file ends too early"), ""); }
static int is(const char *word) { return !strcmp(here(), word); }
static void skip(const char *word) { if (!is(word)) refuse("another token expected"); at++; }

/* ---- the head: one line for each key, in order ---- */

static char *field(int line, const char *key) {
    size_t size = strlen(key);
    if (line >= head_count || strncmp(head_lines[line], key, size)) refuse("the head of the file is wrong");
    char *rest = head_lines[line] + size;
    if (*rest && *rest != ' ') refuse("the head of the file is wrong");
    while (*rest == ' ') rest++;
    for (size_t end = strlen(rest); end && rest[end - 1] == ' ';) rest[--end] = 0;
    return rest;
}

static void load(void) {
    size_t size = 0, room = 1 << 16;
    text = reserve(NULL, room);
    for (size_t got; (got = fread(text + size, 1, room - size - 1, stdin)) > 0;)
        if ((size += got) + 1 >= room) text = reserve(text, room *= 2);
    text[size] = 0;
    if (memchr(text, 0, size)) refuse("a zero byte");
    char *line = text;
    while (head_count < 16) {
        char *end = strchr(line, '\n');
        if (!end) refuse("the head of the file is wrong");
        *end = 0;
        head_lines[head_count++] = line;
        int last = !strncmp(line, "proof", 5);
        line = end + 1;
        if (last) break;
    }
    room = 1 << 12;
    token = reserve(NULL, room * sizeof *token);
    for (char *word = strtok(line, " \n\t\r\f\v"); word; word = strtok(NULL, " \n\t\r\f\v")) {
        if ((size_t)tokens == room) token = reserve(token, (room *= 2) * sizeof *token);
        token[tokens++] = word;
    }
}

/* ---- the board of Moeraki-Kemu ---- */

static int xs[57], ys[57], number[11][11], areas_count, lines_count, symmetry[8][57];
static u64 board, areas[52], lines[80], ball;

static int hollow_at(int x, int y) { return x < -5 || x > 5 || y < -5 || y > 5 ? -1 : number[x + 5][y + 5]; }

static void make_board(void) {
    int count = 0;
    for (int y = -5; y <= 5; y++)
        for (int x = -5; x <= 5; x++) {
            int is_hollow = (x + y + 10) % 2 == 0 && abs(x) + abs(y) <= 8;
            number[x + 5][y + 5] = is_hollow ? count : -1;
            if (is_hollow) xs[count] = x, ys[count] = y, count++;
        }
    board = ((u64)1 << 57) - 1;
    for (int y = -5; y <= 5; y++)
        for (int x = -5; x <= 5; x++) {
            int sides[4] = {hollow_at(x - 1, y), hollow_at(x + 1, y), hollow_at(x, y - 1), hollow_at(x, y + 1)};
            u64 corners = 0;
            for (int side = 0; side < 4; side++)
                if (sides[side] >= 0) corners |= (u64)1 << sides[side];
            if ((x + y + 10) % 2 && COUNT(corners) >= 3) areas[areas_count++] = corners;
        }
    for (int turn = 0; turn < 8; turn++)
        for (int cell = 0; cell < 57; cell++) {
            int x = turn & 1 ? -xs[cell] : xs[cell], y = turn & 2 ? -ys[cell] : ys[cell];
            symmetry[turn][cell] = turn & 4 ? hollow_at(y, x) : hollow_at(x, y);
        }
}

static void add_part(int x, int y, int dx, int dy) {
    u64 line = 0;
    for (int cell; (cell = hollow_at(x, y)) >= 0 && (u64)1 << cell != ball; x += dx, y += dy) line |= (u64)1 << cell;
    if (line) lines[lines_count++] = line;
}

static void make_lines(void) {
    for (int area = 0; area < areas_count; area++)
        if (COUNT(areas[area]) == 4 && !(areas[area] & ball)) lines[lines_count++] = areas[area];
    for (int cell = 0; cell < 57; cell++)      /* from each end of a diagonal, and from both sides of the ball */
        for (int dy = -1; dy <= 1; dy += 2) {
            int before = hollow_at(xs[cell] - 1, ys[cell] - dy);
            if ((u64)1 << cell != ball && (before < 0 || (u64)1 << before == ball)) add_part(xs[cell], ys[cell], 1, dy);
        }
    for (int side = -5; side <= 5; side += 10) {
        u64 column = 0, row = 0;
        for (int cell = 0; cell < 57; cell++) {
            if (xs[cell] == side) column |= (u64)1 << cell;
            if (ys[cell] == side) row |= (u64)1 << cell;
        }
        lines[lines_count++] = column, lines[lines_count++] = row;
    }
    if (lines_count != 60) refuse("this is a fault of the verifier: there must be 60 lines");
}

/* ---- proofs of Moeraki-Kemu ---- */

typedef struct { u64 cells, *sets; long count; } Item;
typedef struct { u64 held; int lead; } Way;

static int most;

static u64 named(const char **name) {
    const char *word = *name;
    int column = word[0] - 'a', row = 0, digits = 0;
    if (column < 0 || column > 10) return 0;
    for (word++; *word >= '0' && *word <= '9' && digits < 2; word++, digits++) row = 10 * row + *word - '0';
    if (row < 1 || row > 11 || (digits == 2 && row < 10) || number[column][row - 1] < 0) return 0;
    *name = word;
    return (u64)1 << number[column][row - 1];
}

static u64 cells_of(const char *word, u64 among, int largest) {
    u64 cells = 0;
    for (int count = 1; count <= largest; count++) {
        u64 one = named(&word);
        if (!(one & among & ~cells)) refuse("a hollow that cannot be taken");
        cells |= one;
        if (!*word) return cells;
        if (*word++ != '-') break;
    }
    refuse("no hollow and no pair");
    return 0;
}

static u64 take(u64 among, int largest) {
    u64 cells = cells_of(here(), among, largest);
    at++;
    return cells;
}

static u64 holes(u64 stones, u64 empty) {
    u64 found = 0;
    for (int line = 0; line < lines_count; line++) {
        u64 missing = lines[line] & ~stones;
        if (!(missing & (missing - 1))) found |= missing;
    }
    return found & empty;
}

static int by_number(const void *left, const void *right) {
    u64 a = *(const u64 *)left, b = *(const u64 *)right;
    return (a > b) - (a < b);
}

static int by_held(const void *left, const void *right) {
    const Way *a = left, *b = right;
    return a->held != b->held ? (a->held > b->held) - (a->held < b->held) : b->lead - a->lead;
}

static void sort_once(Item *item) {
    qsort(item->sets, item->count, sizeof(u64), by_number);
    long kept = 0;
    for (long one = 0; one < item->count; one++)
        if (!kept || item->sets[kept - 1] != item->sets[one]) item->sets[kept++] = item->sets[one];
    item->count = kept;
}

static long read_items(u64 among, Item **items);

static Item read_region(u64 among) {
    Item region = {0, NULL, 0};
    u64 whole = 0;
    skip("(");
    while (!is(")")) {
        u64 reply = take(among & ~region.cells, 1), answer = take(among & ~reply, 1), cells = reply | answer;
        Item *items;
        long count = read_items(among & ~cells, &items), made = 1;
        u64 *sets = reserve(NULL, sizeof(u64));
        sets[0] = reply;
        for (long item = 0; item < count; item++) {
            if (made * items[item].count > MOST_SETS) refuse("too many sets");
            u64 *more = reserve(NULL, made * items[item].count * sizeof(u64));
            long size = 0;
            for (long one = 0; one < made; one++)
                for (long way = 0; way < items[item].count; way++) more[size++] = sets[one] | items[item].sets[way];
            cells |= items[item].cells;
            free(sets), free(items[item].sets);
            sets = more, made = size;
        }
        free(items);
        if (whole && whole != cells) refuse("two regions in one");
        whole = cells, region.cells |= reply;
        region.sets = reserve(region.sets, (region.count + made) * sizeof(u64));
        memcpy(region.sets + region.count, sets, made * sizeof(u64));
        region.count += made;
        free(sets);
        sort_once(&region);
    }
    skip(")");
    if (!whole || whole != region.cells) refuse("a region lacks a reply");
    return region;
}

static long read_items(u64 among, Item **items) {
    long count = 0;
    *items = NULL;
    skip("{");
    while (!is("}")) {
        Item item = {0, NULL, 0};
        if (is("(")) item = read_region(among);
        else {
            item.cells = take(among, 2), item.sets = reserve(NULL, 2 * sizeof(u64));
            for (u64 rest = item.cells; rest; rest &= rest - 1) item.sets[item.count++] = rest & -rest;
        }
        *items = reserve(*items, (count + 1) * sizeof(Item));
        (*items)[count++] = item;
        among &= ~item.cells;
    }
    skip("}");
    return count;
}

static int worth(u64 area, u64 theirs) {
    int ahead = 2 * COUNT(area & theirs) - COUNT(area & ~ball), size = COUNT(area) == 3 && abs(ahead) == 1 ? 1 : 2;
    return ahead > 0 ? size : ahead < 0 ? -size : 0;
}

static int worst(Item *items, long count, u64 theirs, u64 empty) {
    long size = 1;
    u64 done = board & ~empty, before = 0;
    Way *ways = reserve(NULL, sizeof(Way));
    ways[0].held = theirs, ways[0].lead = 0;
    for (long item = -1; item < count; item++) {
        u64 nothing = 0, *sets = item < 0 ? &nothing : items[item].sets, live = 0;
        long choices = item < 0 ? 1 : items[item].count, made = 0;
        done |= item < 0 ? 0 : items[item].cells;
        for (int area = 0; area < areas_count; area++)
            if (areas[area] & ~done) live |= areas[area];
        if (size * choices > MOST_SETS) refuse("too many sets");
        Way *more = reserve(NULL, size * choices * sizeof(Way));
        for (long way = 0; way < size; way++)
            for (long choice = 0; choice < choices; choice++) {
                u64 held = ways[way].held | sets[choice];
                int lead = ways[way].lead;
                for (int area = 0; area < areas_count; area++)
                    if (!(areas[area] & ~done) && (item < 0 || areas[area] & ~before)) lead += worth(areas[area], held);
                more[made].held = held & live, more[made++].lead = lead;
            }
        free(ways);
        qsort(more, made, sizeof(Way), by_held);
        for (long way = size = 0; way < made; way++)
            if (!size || more[size - 1].held != more[way].held) more[size++] = more[way];
        ways = more, before = done;
    }
    int greatest = ways[0].lead;
    for (long way = 1; way < size; way++)
        if (ways[way].lead > greatest) greatest = ways[way].lead;
    free(ways);
    return greatest;
}

static void leaf(u64 mine, u64 theirs, u64 empty) {
    Item *items = NULL;
    long count = empty ? read_items(empty, &items) : 0;
    u64 whole = 0;
    for (int line = 0; line < lines_count; line++) {
        int blocked = (lines[line] & mine) != 0;
        for (long item = 0; item < count && !blocked; item++) {
            blocked = 1;
            for (long way = 0; way < items[item].count; way++)
                if (!(lines[line] & items[item].cells & ~items[item].sets[way])) blocked = 0;
        }
        if (!blocked) refuse("a line is open");
    }
    for (long item = 0; item < count; item++) whole |= items[item].cells;
    if (most < 999 && (whole != empty || worst(items, count, theirs, empty) > most)) refuse("the other may lead by more");
    for (long item = 0; item < count; item++) free(items[item].sets);
    free(items);
}

static void other(u64 mine, u64 theirs);

static void prover(u64 mine, u64 theirs) {
    u64 empty = board & ~(mine | theirs | ball);
    nodes++;
    if (!empty || is("{")) {
        leaf(mine, theirs, empty);
        return;
    }
    u64 stone = take(empty, 1);
    if (!(holes(mine, empty) & stone)) other(mine | stone, theirs);
}

static int same_under(int turn, u64 cells) {
    for (u64 rest = cells; rest; rest &= rest - 1)
        if (!(cells >> symmetry[turn][__builtin_ctzll(rest)] & 1)) return 0;
    return 1;
}

static int covered(u64 reply, u64 mine, u64 theirs, u64 missing) {
    for (int turn = 0; turn < 8; turn++)
        if (same_under(turn, mine) && same_under(turn, theirs) && same_under(turn, ball)
            && !(missing >> symmetry[turn][__builtin_ctzll(reply)] & 1)) return 1;
    return 0;
}

static void other(u64 mine, u64 theirs) {
    u64 empty = board & ~(mine | theirs | ball), threats = holes(mine, empty);
    if (holes(theirs, empty)) refuse("the other completes a line");
    if (threats) {
        if (!(threats & (threats - 1))) prover(mine, theirs | threats);
        return;
    }
    if (!empty || is("{")) {
        leaf(mine, theirs, empty);
        return;
    }
    skip("(");
    while (here()[0] >= 'a' && here()[0] <= 'k') {
        u64 reply = take(empty, 1);
        empty &= ~reply;
        prover(mine, theirs | reply);
    }
    if (is("*")) {
        long start = ++at, end = -1;
        for (u64 rest = empty; rest; rest &= rest - 1) {
            at = start;
            prover(mine, theirs | (rest & -rest));
            if (end >= 0 && end != at) refuse("the rest ends in two places");
            end = at;
        }
        if (end < 0) refuse("there is no rest");
    } else
        for (u64 rest = empty; rest; rest &= rest - 1)
            if (!covered(rest & -rest, mine, theirs, empty)) refuse("a reply is missing");
    skip(")");
}

static u64 stones_of(char *names, u64 among) {
    u64 stones = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) stones |= cells_of(name, among & ~stones, 1);
    return stones;
}

static void verify_moeraki(void) {
    char *variant = field(2, "variant"), *turn = field(6, "turn"), *claim = field(7, "claim"), shown[160];
    if (head_count != 9 || *field(8, "proof")) refuse("the head of the file is wrong");
    snprintf(shown, sizeof shown, "variant %s; ball %s; claim %s", variant, field(3, "ball"), claim);
    make_board();
    u64 centre = 0;
    for (int cell = 0; cell < 57; cell++)
        if (abs(xs[cell]) + abs(ys[cell]) <= 2) centre |= (u64)1 << cell;
    ball = cells_of(field(3, "ball"), centre, 1);
    make_lines();
    u64 mine = stones_of(field(4, "prover"), board & ~ball), theirs = stones_of(field(5, "other"), board & ~(ball | mine));
    int replies = !strcmp(turn, "other"), basic = !strcmp(variant, "basic"), end = 0;
    int ahead = (COUNT(mine) - COUNT(theirs)) * (replies ? 1 : -1);
    if (!(replies || !strcmp(turn, "prover")) || ahead < 0 || ahead > 1) refuse("no game comes to this position");
    for (int line = 0; line < lines_count; line++)
        if (!(lines[line] & ~mine) || !(lines[line] & ~theirs)) refuse("the game is over");
    if (!basic && strcmp(variant, "beginner") && strcmp(variant, "master")) refuse("no such variant");
    if (!strcmp(claim, "hold")) most = 999;
    else if (!strcmp(claim, "win")) most = !basic ? -999 : replies == (ahead == 0) ? 0 : -1;
    else {
        char again[20];
        if (!basic || sscanf(claim, "margin %d%n", &most, &end) != 1 || most < -104 || most > 104) refuse("no such claim");
        snprintf(again, sizeof again, "margin %d", most);
        if (strcmp(claim, again)) refuse("no such claim");
    }
    if (replies) other(mine, theirs);
    else prover(mine, theirs);
    skip("end");
    if (at != tokens) refuse("something follows the end");
    printf("%s; accepted; %ld\n", shown, nodes);
}

/* ---- tables of Mū tōrere ---- */

typedef struct { char points[22], value; int turn, ply, plies; } Row;

static Row *rows;
static long rows_count, *slots, slots_count;
static int arms, opening;

static void least(char *points) {
    char best[22], way[22];
    strcpy(best, points);
    for (int turn = 0; turn < 2 * arms; turn++) {
        for (int kewai = 0; kewai < arms; kewai++)
            way[kewai] = points[turn < arms ? (kewai + turn) % arms : (2 * arms - 1 + turn - kewai) % arms];
        way[arms] = points[arms], way[arms + 1] = 0;
        if (strcmp(way, best) < 0) strcpy(best, way);
    }
    strcpy(points, best);
}

static long *slot_of(const char *points, int turn, int ply) {
    u64 hash = 1469598103934665603ull + 31 * turn + 7 * ply;
    for (const char *point = points; *point; point++) hash = (hash ^ (u64)*point) * 1099511628211ull;
    for (long slot = (long)((hash ^ hash >> 29) % (u64)slots_count);; slot = (slot + 1) % slots_count) {
        Row *row = rows + slots[slot];
        if (slots[slot] < 0 || (row->turn == turn && row->ply == ply && !strcmp(row->points, points))) return slots + slot;
    }
}

static void check(const Row *row) {
    char own = "BW"[row->turn], enemy = "WB"[row->turn];
    int gap = (int)(strchr(row->points, '.') - row->points), moves = 0, won = 0, longest = -1, shortest = 1 << 30;
    for (int source = 0; source <= arms; source++) {
        if (row->points[source] != own) continue;
        int left = (source + arms - 1) % arms, right = (source + 1) % arms;
        int flanked = source < arms && (row->points[left] == enemy || row->points[right] == enemy);
        if (gap == arms && !flanked && !(opening && row->ply == 4)) continue;
        if (gap < arms && source < arms && left != gap && right != gap) continue;
        char after[22];
        strcpy(after, row->points);
        after[source] = '.', after[gap] = own;
        least(after);
        long found = *slot_of(after, 1 - row->turn, opening ? (row->ply < 4 ? row->ply + 1 : 4) : 0);
        if (found < 0) refuse("a state that can follow is missing");
        moves++;
        if (rows[found].value == 'W') {
            won++;
            if (rows[found].plies > longest) longest = rows[found].plies;
        }
        if (rows[found].value == 'L' && rows[found].plies < shortest) shortest = rows[found].plies;
    }
    int lost = shortest < 1 << 30, right = row->value == 'D' ? !lost && won < moves
        : row->value == 'W' ? lost && row->plies == shortest + 1 : won == moves && row->plies == longest + 1;
    if (!right) refuse("a state has another value");
}

static void read_row(Row *row) {
    char sorted[22], again[16], *points = token[at], *turn = token[at + 1], *ply = token[at + 2], *value = token[at + 3];
    int blacks = 0, whites = 0, gaps = 0;
    for (char *point = points; *point; point++) blacks += *point == 'B', whites += *point == 'W', gaps += *point == '.';
    if ((int)strlen(points) != arms + 1 || blacks != arms / 2 || whites != arms / 2 || gaps != 1) refuse("no board");
    strcpy(row->points, points), strcpy(sorted, points), least(sorted);
    if (strcmp(sorted, points)) refuse("not the first of its rotations and reflections");
    if ((strcmp(turn, "0") && strcmp(turn, "1")) || strlen(ply) != 1 || *ply < '0' || *ply > (opening ? '4' : '0'))
        refuse("no state");
    row->turn = *turn - '0', row->ply = *ply - '0', row->value = *value, row->plies = atoi(value + 1);
    snprintf(again, sizeof again, "%c%d", *value, row->plies);
    if (strcmp(value, "D") && ((*value != 'W' && *value != 'L') || strcmp(value, again) || row->plies < 0)) refuse("no value");
}

static void verify_mu_torere(void) {
    if (head_count != 6 || *field(5, "proof") || strcmp(field(4, "claim"), "table")) refuse("the head of the file is wrong");
    arms = atoi(field(2, "arms")), opening = !strcmp(field(3, "flank"), "opening");
    char again[16], start[22];
    snprintf(again, sizeof again, "%d", arms);
    if (strcmp(again, field(2, "arms")) || arms < 4 || arms > 20 || arms % 2) refuse("no such number of arms");
    if (!opening && strcmp(field(3, "flank"), "always")) refuse("no such flanking rule");
    if (tokens % 4 != 1 || strcmp(token[tokens - 1], "end")) refuse("the end is missing or something follows it");
    slots_count = tokens + 1;
    rows = reserve(NULL, (size_t)tokens * sizeof *rows), slots = reserve(NULL, (size_t)slots_count * sizeof *slots);
    for (long slot = 0; slot < slots_count; slot++) slots[slot] = -1;
    for (at = 0; at + 4 < tokens; at += 4) {
        read_row(rows + rows_count);
        long *slot = slot_of(rows[rows_count].points, rows[rows_count].turn, rows[rows_count].ply);
        if (*slot >= 0) refuse("a state comes twice");
        *slot = rows_count++;
    }
    for (int kewai = 0; kewai < arms; kewai++) start[kewai] = kewai < arms / 2 ? 'B' : 'W';
    start[arms] = '.', start[arms + 1] = 0, least(start);
    if (*slot_of(start, 0, 0) < 0) refuse("the start is missing");
    for (long row = 0; row < rows_count; row++) check(rows + row);
    printf("arms %d; flank %s; claim table; accepted; %ld\n", arms, field(3, "flank"), rows_count);
}

int main(void) {
    load();
    if (strcmp(field(0, "kemu-certificate"), "1")) refuse("another format");
    if (!strcmp(field(1, "game"), "moeraki-kemu")) verify_moeraki();
    else if (!strcmp(field(1, "game"), "mu-torere")) verify_mu_torere();
    else refuse("another game");
    return 0;
}
