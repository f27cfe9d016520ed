"""Study of games: reviews, puzzles, variation trees and what was played from a position."""
