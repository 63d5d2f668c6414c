/** The organization and project of the sandbox: what a tracker's settings default to. */
export const sampleSite = { organization: 'quayside', project: 'Harbor' } as const

/** The port that `studio sandbox` listens on by default. */
export const SANDBOX_PORT = 4318

/** Whether the page is served by `studio sandbox`, and so can be opened only while it runs. */
export function isSandboxPage(url: string): boolean {
  return url.startsWith(`http://127.0.0.1:${SANDBOX_PORT}/`)
}
