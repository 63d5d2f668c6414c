import fc from 'fast-check'

/**
 * Properties draw the same samples each time, so that the same sources pass or fail alike on every machine. `npm run explore` draws new
 * ones: a property that then fails prints its seed, and the sample becomes an example of its test.
 */
if (process.env['STUDIO_SEED'] !== 'new') fc.configureGlobal({ seed: Number(process.env['STUDIO_SEED'] ?? 1_204) })
