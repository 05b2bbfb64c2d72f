// Matrices of threads need no cooperative matrices, those of waves whole tiles.
//! options = preview
// error: a matrix of 4 by 4
