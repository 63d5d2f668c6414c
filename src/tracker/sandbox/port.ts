/** Where `studio sandbox` serves unless it is given another port. */
export const SANDBOX_PORT = 4318

/** Whether the page is one that `studio sandbox` serves, and no one else. */
export function isSandboxPage(url: string): boolean {
  return url.startsWith(`http://127.0.0.1:${SANDBOX_PORT}/`)
}
