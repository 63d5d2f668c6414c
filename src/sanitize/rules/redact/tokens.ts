import { type Finding, findLongRuns, findWithin } from './finding'
import { findTokenShapes } from './token-shapes'
import { findLabelledVendorTokens, findVendorTokens } from './vendor-tokens'
import { findWebhooks } from './webhooks'

/** The form of one vendor's access token or key. */
interface TokenForm {
  of: string
  /** Every such token contains this text. The pattern is tried only if the text contains it. */
  hint: string
  pattern: RegExp
  /** The source that documents the format. */
  source: string
}

/**
 * Lists formats that the gitleaks rules miss or match too narrowly. Each format is anchored: it has a fixed start or an exact
 * length. Tokens with a prefix and 30 random characters need no entry, because `token-shapes.ts` finds them.
 */
const forms: readonly TokenForm[] = [
  form(
    'tracker PAT, 84 characters',
    'AZDO',
    '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}',
    'vendor: format of 2024, signature at 76',
  ),
  form('tracker PAT, 52 characters', '', '(?=[a-z]*[2-7])[a-z2-7]{52}', 'vendor: base32 in lower case'),
  form('studio token', 'studio_', 'studio_(?:pat|key)_[0-9A-Za-z]{36}', 'our own access slice'),
  form('Atlassian and Bitbucket', 'AT', 'AT(?:ATT3|CTT3|BB)[\\w=-]{28,}', 'vendor: API and app tokens'),
  form(
    'Azure key of 64 bytes',
    '==',
    '(?<![+/])(?<!sha512-)[A-Za-z0-9+/]{86}==',
    'vendor: storage, Cosmos DB and Batch account keys',
  ),
  form(
    'Azure key of 84 characters',
    'JQQJ9',
    '[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}',
    'vendor: identifiable keys, signature at 52',
  ),
  form('Google OAuth', 'GOCSPX-', 'GOCSPX-[\\w-]{20,}', 'vendor: OAuth client secret'),
  form('Google access token', 'ya29.', 'ya29\\.[\\w-]{20,}', 'vendor: OAuth access token'),
  form('Firebase messaging', 'APA91b', '(?:[\\w-]{11}:)?APA91b[\\w-]{100,}', 'vendor: server key, registration token'),
  form('NuGet', 'oy2', 'oy2[a-z0-9]{43}', 'vendor: nuget.org API key'),
  form('Docker Hub', 'dckr_', 'dckr_(?:pat|oat)_[\\w-]{20,}', 'vendor: access tokens'),
  form('Vault', 'hv', 'hv[sbr]\\.[\\w-]{24,}', 'vendor: service, batch and recovery tokens'),
  form('Slack', 'xox', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}', 'vendor: tokens of every kind'),
  form('Discord bot', '.', '[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,}', 'vendor: user id, time, signature'),
  form('Asana', ':', '[12]/\\d{10,20}(?:/\\d{10,20})?:[0-9a-f]{32}', 'vendor: personal access token'),
  form('Telegram bot', ':AA', '(?:bot)?\\d{5,16}:AA[\\w-]{32,34}', 'vendor: bot token, also in its address'),
  form('SendGrid', 'SG.', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', 'vendor: API key'),
  form('web hook signing secret', 'whsec_', 'whsec_[A-Za-z0-9+/=]{16,}', 'vendor: Stripe, Svix'),
  form('JSON web token', 'ey', '(?<!-)ey[A-Za-z0-9_-]{15,}\\.ey[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*', 'RFC 7519'),
]

/**
 * Anchors the pattern at the start of a word, because no token starts inside one. The pattern is then tried once per word, not at
 * each letter.
 */
function form(of: string, hint: string, body: string, source: string): TokenForm {
  return { of, hint, pattern: new RegExp(`(?<![A-Za-z0-9_])${body}(?![A-Za-z0-9_])`, 'dg'), source }
}

/** No token is shorter, but most words are. */
const MIN_CHARACTERS = 15

/** Words have no digits and are shorter. */
const MACHINE_MADE = /\d|[A-Za-z]{32}/

/** Finds access tokens and keys by their format or by the name of their vendor. */
export function findTokens(text: string): Finding[] {
  const runs = findLongRuns(text, MIN_CHARACTERS).filter((run) => MACHINE_MADE.test(run.text))
  if (runs.length === 0) return []
  const searched = runs.map((run) => run.text).join(' ')
  return [
    ...forms.flatMap(({ hint, pattern }) => (searched.includes(hint) ? findWithin(runs, pattern, 'token') : [])),
    ...findVendorTokens(runs),
    ...findLabelledVendorTokens(text, runs),
    ...findTokenShapes(runs),
    ...findWebhooks(runs),
  ]
}
