//! The control-flow graph.
