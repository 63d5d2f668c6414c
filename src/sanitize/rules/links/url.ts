import { parseUrl } from '../../../rich-text'
import { findSecrets } from '../redact/find-secrets'
import { findOptionalKinds, type OptionalKind } from '../redact/optional-kinds'
import { CREDENTIAL_PARAMETER } from '../redact/passwords/credential-parameters'
import { findEmails } from '../redact/people/emails'
import { decodeRepeatedly } from '../redact/tokens/encoded-addresses'
import { isHarmless } from '../redact/tokens/harmless'
import { findTokens } from '../redact/tokens/tokens'
import type { RemovalKind } from '../removal'

/** The result for a URL: it remains, possibly without some parts, or its link is removed and the text remains. */
export type UrlVerdict =
  | { url: string; without: RemovalKind[] }
  | { url: null; because: RemovalKind }
  | { url: null; mailto: string }

export interface UrlRules {
  /** The hosts whose links open only inside the tracker. */
  trackerHosts: readonly string[]
  also: ReadonlySet<OptionalKind>
}

/** Matches schemes of the tracker and its clients, and of resources on the local machine. */
const INTERNAL_SCHEME = /^(?:vstfs|x-mvwit|mtm|mtms|tfs|file|about|res)$/

/** Matches paths to a work item, an attachment or an API of a tracker on any host. */
const INTERNAL_PATH = /\/(?:_workitems|_apis|_links|workitemtracking|attachfilehandler\.ashx)(?:[/?#]|$)/i
const ATTACHMENT_PATH = /\/(?:_apis\/wit\/attachments|attachfilehandler\.ashx|\.attachments)(?:[/?#]|$)/i

/** A longer `code` is the key of a serverless function or the response of an identity provider. A shorter one has other uses. */
const MIN_CODE_LENGTH = 20

/** Longer addresses are of no use in browsers, and a data: address may contain a whole page. */
const MAX_CHARACTERS = 8_192

/**
 * Allows only http and https, and only addresses outside the tracker. Credentials are removed from them. Characters that a browser
 * ignores in a URL (control characters, tabs, line ends) are removed before the scheme is read.
 */
export function judgeUrl(written: string, rules: UrlRules): UrlVerdict {
  if (written.length > MAX_CHARACTERS) return { url: null, because: 'unsafe-url' }
  const url = written.replace(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$|[\t\n\r]+/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    if (/^\/\/[^/\\]/.test(url)) return judgeUrl(`https:${url}`, rules)
    return { url: null, because: ATTACHMENT_PATH.test(url) ? 'attachment' : 'internal-link' }
  }
  if (scheme === 'mailto')
    return { url: null, mailto: decodeRepeatedly(url.slice('mailto:'.length).split('?', 1)[0] ?? '') }
  if (scheme === 'tel' || scheme === 'sms' || scheme === 'callto') return { url: null, because: 'phone' }
  if (scheme === 'cid' || scheme === 'mid') return { url: null, because: 'attachment' }
  if (INTERNAL_SCHEME.test(scheme)) return { url: null, because: 'internal-link' }
  const parsed = scheme === 'http' || scheme === 'https' ? parseUrl(url) : null
  return parsed ? judgeWebAddress(url, parsed, rules) : { url: null, because: 'unsafe-url' }
}

function judgeWebAddress(written: string, parsed: URL, { trackerHosts, also }: UrlRules): UrlVerdict {
  if (ATTACHMENT_PATH.test(parsed.pathname)) return { url: null, because: 'attachment' }
  if (isTrackerHost(parsed, trackerHosts) || INTERNAL_PATH.test(parsed.pathname))
    return { url: null, because: 'internal-link' }
  const [optional] = findOptionalKinds(`${parsed.hostname.replace(/^\[|\]$/g, '')}\n${decodeRepeatedly(written)}`, also)
  if (optional) return { url: null, because: optional.kind }
  // The URL remains as written, unless Markdown or a browser would read a part of it differently.
  const url = /[\0-\x20<>"\\^`{|}\x7f]/.test(written) ? parsed.href : written
  return removeCredentials(url, parsed)
}

function isTrackerHost(parsed: URL, trackerHosts: readonly string[]): boolean {
  // `example.com.` is the same host as `example.com`.
  const name = parsed.hostname.replace(/\.$/, '')
  return trackerHosts.some((listed) => {
    const host = listed.toLowerCase()
    return host !== '' && (name === host || `${name}:${parsed.port}` === host || name.endsWith(`.${host}`))
  })
}

function removeCredentials(url: string, parsed: URL): UrlVerdict {
  const without: RemovalKind[] = []
  let [, origin = '', path = '', query = '', fragment = ''] =
    /^([^/]*\/\/[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  if (parsed.username !== '' || parsed.password !== '') {
    without.push(parsed.password === '' ? 'account' : 'password')
    origin = `${origin.slice(0, origin.indexOf('//') + 2)}${origin.slice(origin.lastIndexOf('@') + 1)}`
  }
  // A path may start with an address: `http://a.example//user:password@b.example`. Together with its host it may be a web hook.
  const inPath =
    (findTokens(decodeRepeatedly(origin + path)).length > 0 ? 'token' : undefined) ??
    (isHarmless(path) ? undefined : findSecret(`url:${path}`))
  if (inPath) return { url: null, because: inPath }
  const inFragment = findSecret(fragment.replace(/^#/, '?'))
  if (inFragment) {
    without.push(inFragment)
    fragment = ''
  }
  if (query !== '') {
    const parameters = query.slice(1).split('&')
    const remaining = parameters.filter((parameter) => {
      const found = findSecretParameter(parameter)
      if (found) without.push(found)
      return !found
    })
    if (remaining.length < parameters.length) query = remaining.length > 0 ? `?${remaining.join('&')}` : ''
  }
  return { url: origin + path + query + fragment, without }
}

function findSecretParameter(parameter: string): RemovalKind | undefined {
  const [encodedName = '', value = ''] = parameter.split('=', 2)
  // An address that was copied from HTML may have `&amp;` between its parameters.
  const name = decodeRepeatedly(encodedName).replace(/^amp;/i, '')
  if (name.toLowerCase() === 'code' && value.length >= MIN_CODE_LENGTH) return 'token'
  return value !== '' && CREDENTIAL_PARAMETER.test(name) ? 'token' : findSecret(parameter)
}

function findSecret(part: string): RemovalKind | undefined {
  if (part.length < 6 || isHarmless(part)) return undefined
  const text = decodeRepeatedly(part)
  const [found] = [...findSecrets({ text, isCode: () => true }), ...findEmails(text)]
  return found?.kind
}
