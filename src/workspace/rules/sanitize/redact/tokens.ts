import { type Finding, findWithin, runsOf } from './finding'

/** The form of one vendor's access token or key. */
interface TokenForm {
  of: string
  /** Text that every such token holds; without it the pattern is not tried. */
  hint: string
  pattern: RegExp
  /** Who says that it looks so: the vendor's documentation, or the rule of gitleaks (MIT) by its id. */
  source: string
}

/**
 * The rule set is our own, because the kept ones do not fit here. secretlint's preset works through promises only, lets the
 * text switch rules off by a comment, and knows neither tracker tokens nor JWTs, storage keys or connection strings.
 * gitleaks is a program, not a library. Each form is anchored: it has a fixed beginning or an exact length.
 */
const forms: readonly TokenForm[] = [
  // The trackers and code hosts themselves.
  form(
    'tracker PAT, 84 characters',
    'AZDO',
    '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}',
    'vendor: format of 2024, signature at 76',
  ),
  form('tracker PAT, 52 characters', '', '(?=[a-z]*[2-7])[a-z2-7]{52}', 'vendor: base32 in lower case'),
  form('studio token', 'studio_', 'studio_(?:pat|key)_[0-9A-Za-z]{36}', 'our own access slice'),
  form(
    'GitHub',
    'gh',
    'gh[pousr]_[A-Za-z0-9_]{36,255}',
    'github-pat, github-oauth, github-app-token, github-refresh-token',
  ),
  form('GitHub, fine-grained', 'github_pat_', 'github_pat_\\w{36,255}', 'github-fine-grained-pat'),
  form('GitLab', 'gl', 'gl(?:pat|ptt|dt|rt|ft|imt|agent|oas|soat|cbt|ffct)-[\\w.-]{20,320}', 'gitlab-pat and its kin'),
  form('GitLab runner', 'GR1348941', 'GR1348941[\\w-]{20}', 'gitlab-rrt'),
  form('Bitbucket and Atlassian', 'ATATT3', 'ATATT3[\\w=-]{60,250}', 'atlassian-api-token'),
  // Clouds.
  form('AWS access key id', '', '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}', 'aws-access-token'),
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
  form('Entra client secret', 'Q~', '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}', 'azure-ad-client-secret'),
  form('Google API key', 'AIza', 'AIza[\\w-]{35}', 'gcp-api-key'),
  form('Google OAuth', 'GOCSPX-', 'GOCSPX-[\\w-]{20,40}', 'vendor: OAuth client secret'),
  form('Google access token', 'ya29.', 'ya29\\.[\\w-]{20,2000}', 'vendor: OAuth access token'),
  form('DigitalOcean', '_v1_', 'do[opr]_v1_[a-f0-9]{64}', 'digitalocean-pat, -access-token, -refresh-token'),
  form('Cloudflare origin', 'v1.0-', 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}', 'cloudflare-origin-ca-key'),
  form('Heroku', 'HRKU-', 'HRKU-[\\w-]{36,64}', 'heroku-api-key-v2'),
  form('Databricks', 'dapi', 'dapi[a-f0-9]{32}(?:-\\d)?', 'databricks-api-token'),
  form('Terraform Cloud', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}', 'hashicorp-tf-api-token'),
  form('Vault', 'hv', 'hv[sbr]\\.[\\w-]{24,300}', 'vault-service-token, vault-batch-token'),
  form('Fly.io', 'f', '(?:fo1_[\\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,2000}={0,3})', 'flyio-access-token'),
  form(
    'PlanetScale',
    'pscale_',
    'pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,64}',
    'planetscale-api-token, -oauth-token, -password',
  ),
  form('Pulumi', 'pul-', 'pul-[a-f0-9]{40}', 'pulumi-api-token'),
  form('Doppler', 'dp.', 'dp\\.(?:pt|st|ct|sa)\\.[\\w.-]{40,60}', 'doppler-api-token'),
  // Packages and builds.
  form('npm', 'npm_', 'npm_[A-Za-z0-9]{36}', 'npm-access-token'),
  form('PyPI', 'pypi-', 'pypi-AgE[\\w-]{50,1000}', 'pypi-upload-token'),
  form('NuGet', 'oy2', 'oy2[a-z0-9]{43}', 'vendor: nuget.org API key'),
  form('RubyGems', 'rubygems_', 'rubygems_[a-f0-9]{48}', 'rubygems-api-token'),
  form('Docker Hub', 'dckr_', 'dckr_(?:pat|oat)_[\\w-]{20,40}', 'vendor: access tokens'),
  form('Artifactory', 'AKCp', 'AKCp[A-Za-z0-9]{69}', 'artifactory-api-key'),
  form('Artifactory reference', 'cmVmd', 'cmVmd[A-Za-z0-9]{59}', 'artifactory-reference-token'),
  // Services.
  form('Slack', 'xox', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}', 'slack-bot-token and its kin'),
  form('Slack app', 'xapp-', 'xapp-\\d-[A-Za-z0-9-]{10,250}', 'slack-app-token'),
  form(
    'Slack web hook',
    'hooks.slack.com',
    '(?:https?://)?hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/+-]{20,100}',
    'slack-webhook-url',
  ),
  form(
    'Teams web hook',
    '.webhook.office.com',
    '(?:https?://)?[a-z0-9]{1,63}\\.webhook\\.office\\.com/webhookb2/[\\w@/-]{20,300}',
    'microsoft-teams-webhook',
  ),
  form(
    'Discord web hook',
    '/api/webhooks/',
    '(?:https?://)?(?:\\w{1,20}\\.)?discord(?:app)?\\.com/api/webhooks/\\d{5,25}/[\\w-]{20,100}',
    'vendor: web hook URL',
  ),
  form('Telegram bot', ':AA', '\\d{5,16}:AA[\\w-]{32,34}', 'telegram-bot-api-token'),
  form('Stripe', 'k_', '[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10,99}', 'stripe-access-token'),
  form('web hook signing secret', 'whsec_', 'whsec_[A-Za-z0-9+/=]{16,100}', 'vendor: Stripe, Svix'),
  form('Twilio', 'SK', 'SK[0-9a-f]{32}', 'twilio-api-key'),
  form('SendGrid', 'SG.', 'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}', 'sendgrid-api-token'),
  form('Mailgun', 'key-', 'key-[a-f0-9]{32}', 'mailgun-private-api-token'),
  form('Mailchimp', '-us', '[a-f0-9]{32}-us\\d{1,2}', 'mailchimp-api-key'),
  form('Shopify', 'shp', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', 'shopify-access-token'),
  form('Square', 'sq0', 'sq0[a-z]{3}-[\\w-]{22,60}', 'square-access-token'),
  form('Facebook', 'EAA', 'EAA[MC][A-Za-z0-9]{100,400}', 'facebook-page-access-token'),
  form(
    'Grafana',
    'gl',
    'gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,400}={0,3})',
    'grafana-service-account-token, grafana-cloud-api-token',
  ),
  form('Sentry', 'sntry', 'sntry[su]_[\\w+/=]{40,400}', 'sentry-org-token, sentry-user-token'),
  form('New Relic', 'NRAK-', 'NRAK-[A-Z0-9]{27}', 'new-relic-user-api-key'),
  form('Dynatrace', 'dt0c01.', 'dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}', 'dynatrace-api-token'),
  form('Postman', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}', 'postman-api-token'),
  form('Linear', 'lin_api_', 'lin_api_[A-Za-z0-9]{40}', 'linear-api-key'),
  form('Notion', 'ntn_', 'ntn_[A-Za-z0-9]{40,50}', 'notion-api-token'),
  form('Figma', 'figd_', 'figd_[\\w-]{40,60}', 'vendor: personal access token'),
  // Language models.
  form('OpenAI', 'sk-', 'sk-(?:(?:proj|svcacct|admin)-[\\w-]{40,300}|[A-Za-z0-9]{32,64})', 'openai-api-key'),
  form('Anthropic', 'sk-ant-', 'sk-ant-[\\w-]{40,200}', 'anthropic-api-key'),
  form('Hugging Face', 'hf_', 'hf_[A-Za-z]{34}', 'huggingface-access-token'),
  form('Perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{48}', 'perplexity-api-key'),
  // Forms that many share.
  form('JSON web token', 'ey', '(?<!-)ey[A-Za-z0-9_-]{15,}\\.ey[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*', 'RFC 7519; jwt'),
  form('age', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}', 'age-secret-key'),
]

/** A token never starts inside a word: so a pattern is tried once a word, not at each of its letters. */
function form(of: string, hint: string, body: string, source: string): TokenForm {
  return { of, hint, pattern: new RegExp(`(?<![A-Za-z0-9_])${body}(?![A-Za-z0-9_])`, 'dg'), source }
}

/** No token is shorter, and most words are. */
const FEWEST_CHARACTERS = 15

/** Access tokens and keys that are known by their form. */
export function findTokens(text: string): Finding[] {
  const runs = runsOf(text, FEWEST_CHARACTERS)
  if (runs.length === 0) return []
  const searched = runs.map((run) => run.text).join(' ')
  return forms.flatMap(({ hint, pattern }) => (searched.includes(hint) ? findWithin(runs, pattern, 'token') : []))
}
