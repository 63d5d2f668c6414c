import { type Finding, findAll } from './finding'

/** Matches the name of a query parameter that contains a credential, whatever its value. */
export const CREDENTIAL_PARAMETER =
  /^(?:sig|signature|sas|token|\w{1,20}[_-]?token|pat|jwt|code_verifier|client_secret|secret|password|passwd|pwd|pass|api[_-]?key|access[_-]?key|subscription-key|auth|authorization|session(?:id)?|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))$/i

const PARAMETER = /(?<=^|[?&;/])(?<name>[\w.-]{1,60})=(?<it>[^&;#\s"']+)/dg

/**
 * Matches the part of a path after the name of a credential: `/password/hunter2`. A part in braces is a placeholder. A file
 * of a program is named in a stack.
 */
const PART =
  /(?<=\/(?:passwords?|passwd|passphrase|pass|pwd|secret|client[_-]?secret|(?:access|refresh|id|auth|api|csrf|reset)[_-]?token|token|api[_-]?key|access[_-]?key|jwt|pat)\/)(?!\{|[\w./-]{1,200}\.[cm]?[jt]s\b)[^/?#&\s"'<>()]+/dgi

/** Finds the values of such parameters, and parts of paths after the name of a credential. */
export function findCredentialParameters(text: string): Finding[] {
  return [
    ...(text.includes('=')
      ? findAll(text, PARAMETER, 'token', {
          accepts: ({ groups }) => CREDENTIAL_PARAMETER.test(groups?.['name'] ?? ''),
        })
      : []),
    ...(text.includes('/') ? findAll(text, PART, 'token') : []),
  ]
}
