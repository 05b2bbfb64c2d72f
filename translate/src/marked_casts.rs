//! Casts between floats and their bits in portable SPIR-V, for readers who know them.
//!
//! With [`Features::MARKED_CASTS`](crate::Features::MARKED_CASTS) such a cast of a double or a half is a call of a function
//! of one of these names. Its body in the module means nothing: whoever writes the module in a language writes
//! the body that the language has for it.

/// The function that makes a double of two words, the low one first.
pub const DOUBLE_OF_WORDS: &str = "double_of_words";

/// The function that gives the two words of a double, the low one first.
pub const WORDS_OF_DOUBLE: &str = "words_of_double";

/// The function that makes a half of the lower 16 bits of a word.
pub const HALF_OF_WORD: &str = "half_of_word";

/// The function that gives the bits of a half as a word.
pub const WORD_OF_HALF: &str = "word_of_half";
