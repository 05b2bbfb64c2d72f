// Matrices of single threads are no cooperative matrices.
//! options = preview
// error: matrices of single threads
