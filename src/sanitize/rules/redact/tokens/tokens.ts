import { type Finding, findWithin } from '../finding'
import { findLongRuns } from './long-runs'
import { findPrivateAddresses } from './private-addresses'
import { findTokenShapes } from './token-shapes'
import { findLabelledVendorTokens, findVendorTokens } from './vendor-tokens'
import { findWebhooks } from './webhooks'

/** The form of one vendor's access token or key. */
interface TokenForm {
  /** Every such token contains this text. The pattern is tried only if the text contains it. */
  hint: string
  pattern: RegExp
}

/**
 * Lists formats that the gitleaks rules miss or match too narrowly, as the vendors document them. Each format is anchored: it has a
 * fixed start or an exact length. Tokens with a prefix and 30 random characters need no entry, because `token-shapes.ts` finds them.
 */
const forms: readonly TokenForm[] = [
  form('AZDO', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'), // tracker PAT with its signature at 76
  form('', '(?=[a-z]*[2-7])[a-z2-7]{52}'), // older tracker PAT: base32 in lower case
  form('sk-ant-', 'sk-ant-[a-z]{2,6}\\d{2}-(?![xX]{4})\\w{24,}[\\w-]*'), // Anthropic, also a shortened one
  form('studio_', 'studio_(?:pat|key|ses)_[\\w-]{16,}'), // the tokens, dock keys and sessions of `access`
  form('AT', 'AT(?:ATT3|CTT3|BB)[\\w=-]{28,}'), // Atlassian and Bitbucket
  form('==', '(?<![+/])(?<!sha512-)[A-Za-z0-9+/]{86}=='), // Azure Storage, Cosmos DB and Batch: 64 bytes
  form('JQQJ9', '[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}'), // identifiable Azure key with its signature at 52
  form('GOCSPX-', 'GOCSPX-[\\w-]{20,}'), // Google OAuth client secret
  form('ya29.', 'ya29\\.[\\w-]{20,}'), // Google access token
  form('APA91b', '(?:[\\w-]{11}:)?APA91b[\\w-]{100,}'), // Firebase server key or registration token
  form('oy2', 'oy2[a-z0-9]{43}'), // NuGet
  form('dckr_', 'dckr_(?:pat|oat)_[\\w-]{20,}'), // Docker Hub
  form('hv', 'hv[sbr]\\.[\\w-]{24,}'), // Vault: service, batch and recovery tokens
  form('xox', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}'), // Slack
  form('.', '[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,}'), // Discord bot: user ID, time, signature
  form(':', '[12]/\\d{10,20}(?:/\\d{10,20})?:[0-9a-f]{32}'), // Asana
  form(':AA', '(?:bot)?\\d{5,16}:AA[\\w-]{32,34}'), // Telegram bot, also in its address
  form('SG.', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}'), // SendGrid
  form('whsec_', 'whsec_[A-Za-z0-9+/=]{16,}'), // web hook secret of Stripe and Svix
  form('ey', '(?<!-)ey[A-Za-z0-9_-]{15,}\\.ey[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*'), // JSON web token, RFC 7519
]

/**
 * Anchors the pattern at the start of a word, because no token starts inside one. The pattern is then tried once per word, not at
 * each letter.
 */
function form(hint: string, body: string): TokenForm {
  return { hint, pattern: new RegExp(`(?<![A-Za-z0-9_])${body}(?![A-Za-z0-9_])`, 'dg') }
}

/** No token is shorter. */
const MIN_CHARACTERS = 15

/** Words have no digits and are shorter. */
const MACHINE_MADE = /\d|[A-Za-z]{32}/

/** Finds access tokens and keys by their format or by the name of their vendor. */
export function findTokens(text: string): Finding[] {
  const runs = findLongRuns(text).filter((run) => run.text.length >= MIN_CHARACTERS && MACHINE_MADE.test(run.text))
  if (runs.length === 0) return []
  const searched = runs.map((run) => run.text).join(' ')
  return [
    ...forms.flatMap(({ hint, pattern }) => (searched.includes(hint) ? findWithin(runs, pattern, 'token') : [])),
    ...findVendorTokens(runs),
    ...findLabelledVendorTokens(text, runs),
    ...findTokenShapes(runs),
    ...findWebhooks(runs),
    ...findPrivateAddresses(runs),
  ]
}
