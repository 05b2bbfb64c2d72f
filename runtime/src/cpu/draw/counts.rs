//! What the queries of a draw count.

use super::super::stopwatch::Stopwatch;
use super::stream_output::Capture;
use crate::graphics::{PipelineStatistics, Query, QueryResult, StreamStatistics};

/// Counts of pixels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PixelCounts {
    /// Samples that passed all tests.
    pub(super) passed: u64,
    pub(super) invocations: u64,
}

/// Counts of a draw.
#[derive(Debug)]
pub(super) struct Counts {
    start: Stopwatch,
    passed: u64,
    pub(super) statistics: PipelineStatistics,
    streams: [StreamStatistics; 4],
}

impl Counts {
    pub(super) fn new(start: Stopwatch) -> Counts {
        Counts {
            start,
            passed: 0,
            statistics: PipelineStatistics::default(),
            streams: [StreamStatistics::default(); 4],
        }
    }

    pub(super) fn add_pixels(&mut self, counts: &PixelCounts) {
        self.passed += counts.passed;
        self.statistics.pixel_invocations += counts.invocations;
    }

    /// Adds primitives that reached the rasterizer, and those of them that are drawn.
    pub(super) fn add_clipped(&mut self, [came, drawn]: [u64; 2]) {
        self.statistics.clipper_invocations += came;
        self.statistics.clipper_primitives += drawn;
    }

    /// Takes the counts of the stream output.
    pub(super) fn stream_output(&mut self, capture: Option<&Capture<'_>>) {
        if let Some(capture) = capture {
            self.streams = capture.statistics;
        }
    }

    /// Returns the result of a query. Ticks are nanoseconds, from 1.
    pub(super) fn result(&self, query: Query) -> QueryResult {
        match query {
            Query::Occlusion => QueryResult::Occlusion(self.passed),
            Query::BinaryOcclusion => QueryResult::BinaryOcclusion(self.passed > 0),
            Query::PipelineStatistics => QueryResult::PipelineStatistics(self.statistics),
            Query::Timestamps => {
                let elapsed = u64::try_from(self.start.elapsed().as_nanos());
                QueryResult::Timestamps([1, elapsed.unwrap_or(u64::MAX).saturating_add(1)])
            }
            Query::StreamOutput(stream) => {
                let found = self.streams.get(stream as usize);
                QueryResult::StreamOutput(found.copied().unwrap_or_default())
            }
        }
    }
}
