/** Fake secrets. They are assembled when the tests run, so that scanners do not report the source as a leak. */

const LETTERS = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY'

/** Returns `start` followed by letters and digits. */
export function fake(start: string, length: number, alphabet = LETTERS): string {
  return start + Array.from({ length }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('')
}

export const HEX = '0123456789abcdef'
export const LOWER = 'abcdefghijklmnopqrstuvwxyz234567'
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const password = ['hunter', '2', '!'].join('')

/** One example for each token format, by vendor. */
export const tokens: Record<string, string> = {
  'tracker, 52 characters': fake('', 52, LOWER),
  'tracker, 84 characters': `${fake('', 76)}${['AZ', 'DO'].join('')}4f2Q`,
  studio: fake(['studio', 'pat', ''].join('_'), 36),
  GitHub: fake(['gh', 'p_'].join(''), 36),
  'GitHub app': fake(['gh', 's_'].join(''), 36),
  'GitHub, fine-grained': `${fake(['github', 'pat', ''].join('_'), 22)}_${fake('', 59)}`,
  GitLab: fake(['gl', 'pat-'].join(''), 20),
  Atlassian: fake(['ATA', 'TT3'].join(''), 186),
  'AWS key id': fake(['AK', 'IA'].join(''), 16, UPPER),
  'Azure storage': `${fake('', 86)}==`,
  'Entra secret': `${fake('', 3)}8Q~${fake('', 34)}`,
  'Google API key': fake(['AI', 'za'].join(''), 35),
  'Google OAuth': fake(['GOC', 'SPX-'].join(''), 28),
  DigitalOcean: fake(['dop', 'v1', ''].join('_'), 64, HEX),
  Databricks: fake('dapi', 32, HEX),
  Vault: fake(['hv', 's.'].join(''), 95),
  npm: fake(['npm', ''].join('_'), 36),
  PyPI: fake(['pypi', 'AgEIcHlwaS5vcmc'].join('-'), 60),
  NuGet: fake('oy2', 43, LOWER),
  'Docker Hub': fake(['dckr', 'pat', ''].join('_'), 27),
  'Slack bot': `${['xo', 'xb'].join('')}-123456789012-123456789012-${fake('', 24)}`,
  'Slack hook': `https://hooks.slack.com/services/${fake('T', 8, UPPER)}/${fake('B', 8, UPPER)}/${fake('', 24)}`,
  'Telegram bot': `123456789:${fake('AA', 33)}`,
  Stripe: fake(['sk', 'live', ''].join('_'), 24),
  Twilio: fake('SK', 32, HEX),
  SendGrid: `SG.${fake('', 22)}.${fake('', 43)}`,
  Mailgun: fake('key-', 32, HEX),
  Shopify: fake(['shp', 'at_'].join(''), 32, HEX),
  Grafana: `${fake(['gl', 'sa_'].join(''), 32)}_${fake('', 8, HEX)}`,
  Postman: `${fake('PMAK-', 24, HEX)}-${fake('', 34, HEX)}`,
  Linear: fake(['lin', 'api', ''].join('_'), 40),
  OpenAI: fake(['sk', 'proj', ''].join('-'), 60),
  Anthropic: fake(['sk', 'ant', 'api03', ''].join('-'), 93),
  'Anthropic, without its end': `${['sk', 'ant', 'api03', ''].join('-')}${'A'.repeat(36)}`,
  'Hugging Face': fake('hf_', 34, 'abcdefghijklmnopqrstuvwxyzABCDEFGH'),
  'JSON web token': [fake('ey', 20), fake('ey', 30), fake('', 43)].join('.'),
}

const keyLines = [fake('MII', 61), fake('', 64), fake('', 40)]

/** The lines of a private key. */
export const privateKey = [
  `-----BEGIN RSA ${['PRIVATE', 'KEY'].join(' ')}-----`,
  ...keyLines,
  `-----END RSA ${['PRIVATE', 'KEY'].join(' ')}-----`,
]
