import { type Finding, findAll } from './finding'

/** Matches the name of a query parameter that contains a credential, whatever its value. */
export const CREDENTIAL_PARAMETER =
  /^(?:sig|signature|sas|token|\w{1,20}[_-]?token|pat|jwt|code_verifier|client_secret|secret|password|passwd|pwd|pass|api[_-]?key|access[_-]?key|subscription-key|auth|authorization|session(?:id)?|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))$/i

const PARAMETER = /(?<=^|[?&;/])(?<name>[\w.-]{1,60})=(?<it>[^&;#\s"']+)/dg

/** Finds the values of such parameters. */
export function findCredentialParameters(text: string): Finding[] {
  return findAll(text, PARAMETER, 'token', {
    accepts: ({ groups }) => CREDENTIAL_PARAMETER.test(groups?.['name'] ?? ''),
  })
}
