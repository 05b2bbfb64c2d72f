// Matrices are executed on the CPU alone.
//! options = preview
// error: matrices are executed on the CPU alone
