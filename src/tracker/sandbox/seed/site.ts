/** Where the sample backlog is at home. */
export const sampleSite = { organization: 'quayside', project: 'Harbor' } as const
