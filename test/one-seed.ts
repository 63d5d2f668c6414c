import fc from 'fast-check'

/**
 * Property tests use the same samples in every run, so that the result is the same on every machine. `npm run explore` uses new
 * samples. The run prints its seed, and `STUDIO_SEED=<seed>` repeats it; add a sample that fails to its test as an example.
 */
fc.configureGlobal({ seed: Number(process.env['STUDIO_SEED']) })
