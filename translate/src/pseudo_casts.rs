//! Casts between floats and their bits in portable SPIR-V, for readers that implement these
//! pseudo-operations.
//!
//! With [`Features::PSEUDO_CASTS`](crate::Features::PSEUDO_CASTS) such a cast of a double or a half
//! is a call of a function of one of these names. Its body in the module is a placeholder: a
//! translator of the module replaces it by the cast of the target language.

/// The function that makes a double of two words, the low one first.
pub const DOUBLE_OF_WORDS: &str = "double_of_words";

/// The function that gives the two words of a double, the low one first.
pub const WORDS_OF_DOUBLE: &str = "words_of_double";

/// The function that makes a half of the lower 16 bits of a word.
pub const HALF_OF_WORD: &str = "half_of_word";

/// The function that gives the bits of a half as a word.
pub const WORD_OF_HALF: &str = "word_of_half";
