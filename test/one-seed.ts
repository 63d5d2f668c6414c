import fc from 'fast-check'

/**
 * Property tests use the same samples in every run, so that the result is the same on every machine. `npm run explore` uses new
 * samples. A property that then fails prints its seed; add the sample to its test as an example.
 */
if (process.env['STUDIO_SEED'] !== 'new') fc.configureGlobal({ seed: Number(process.env['STUDIO_SEED'] ?? 1_204) })
