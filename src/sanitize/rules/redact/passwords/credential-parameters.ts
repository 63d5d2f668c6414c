import { type Finding, findAll } from '../finding'

/** Matches the name of a query parameter that contains a credential, whatever its value. */
export const CREDENTIAL_PARAMETER =
  /^(?:sig|signature|sas|token|\w{1,20}[_-]?token|pat|jwt|code_verifier|client_secret|secret|password|passwd|pwd|pass|api[_-]?key|access[_-]?key|subscription-key|auth|authorization|session(?:id)?|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))$/i

const PARAMETER = /(?<=^|[?&;/])(?<name>[\w.-]{1,60})=(?<it>[^&;#\s"']+)/dg

/** Names of credentials as parts of a path. */
const NAMES =
  'passwords?|passwd|passphrase|pass|pwd|secret|client[_-]?secret|(?:access|refresh|id|auth|api|csrf|reset)[_-]?token|token|api[_-]?key|access[_-]?key|jwt|pat'

/** What is done with a credential, as the part of a path after its name: `/token/refresh`. */
const ACTIONS =
  'refresh|reset|revoke|renew|rotate|verify|validate|check|confirm|change|update|edit|create|new|generate|issue|exchange|introspect|request|forgot(?:ten)?|recover|recovery|expired?|policy|strength|info|status'

/**
 * Matches the part of a path after the name of a credential: `/password/hunter2`. A part in braces is a placeholder. A file
 * of a program is named in a stack.
 */
const PART = new RegExp(
  `(?<=\\/(?:${NAMES})\\/)(?!\\{|[\\w./-]{1,200}\\.[cm]?[jt]s\\b|(?:${ACTIONS})(?![\\w%-]))[^/?#&\\s"'<>()]+`,
  'dgi',
)

/** Matches what has the form of a credential after such an action: `/password/reset/Hk29dLq87z`. */
const PART_AFTER_ACTION = new RegExp(
  `(?<=\\/(?:${NAMES})\\/(?:${ACTIONS})\\/)(?=[^/?#&\\s"'<>()]{0,200}\\d)[^/?#&\\s"'<>(){}]{6,}`,
  'dgi',
)

/** Finds the values of such parameters, and parts of paths after the name of a credential. */
export function findCredentialParameters(text: string): Finding[] {
  return [
    ...(text.includes('=')
      ? findAll(text, PARAMETER, 'token', {
          accepts: ({ groups }) => CREDENTIAL_PARAMETER.test(groups?.['name'] ?? ''),
        })
      : []),
    ...(text.includes('/') ? [PART, PART_AFTER_ACTION].flatMap((part) => findAll(text, part, 'token')) : []),
  ]
}
