import { type Finding, findAll, findRunsWith } from './finding'

/** Each form announces a secret. The pattern is tried only if the text contains the hint. */
const forms: readonly { hint: string; pattern: RegExp }[] = [
  // Matches `Authorization: Basic dXNlcjpwYXNz` and `Authorization: Bearer …`.
  { hint: 'authorization', pattern: /authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:\w{1,20} )?(?<it>[\w+/=.~-]{8,})/dgi },
  { hint: 'bearer', pattern: /\bbearer\s{1,3}(?<it>(?=[\w+/.~-]{0,200}\d)[\w+/=.~-]{16,})/dgi },
  // Matches `--password hunter2` and `curl -u user:password`.
  {
    hint: '--',
    pattern: /--(?:password|passwd|pass|pwd|token|api-key|secret)[= ]["']?(?<it>[^\s"'[\]<>-][^\s"'[\]<>]{2,})/dgi,
  },
  {
    hint: 'curl',
    pattern: /\bcurl(?:\s[^\n]{0,400}?)?\s(?:-u|--user)\s{0,3}["']?[\w.@\\-]{1,64}:(?<it>[^\s"'[\]]{2,})/dgi,
  },
  // Matches `mysql -u root -phunter2` and `sshpass -p hunter2`.
  {
    hint: 'mysql',
    pattern: /\bmysql(?:dump|admin|import|show)?\s(?:[^\n]{0,400}?\s)?-p["']?(?<it>[^\s"'[\]<>]{2,})/dg,
  },
  { hint: 'mariadb', pattern: /\bmariadb(?:-\w{1,10})?\s(?:[^\n]{0,400}?\s)?-p["']?(?<it>[^\s"'[\]<>]{2,})/dg },
  { hint: 'sshpass', pattern: /\bsshpass\s{1,3}-p\s{0,3}["']?(?<it>[^\s"'[\]<>]{2,})/dgi },
  // Matches `docker login -u bob -p hunter2`, `sqlcmd -S db -U sa -P hunter2` and `redis-cli -a hunter2`.
  {
    hint: ' login',
    pattern:
      /\b(?:docker|podman|helm registry|oc|az) login\s(?:[^\n]{0,400}?\s)?-p\s{0,3}["']?(?<it>[^\s"'[\]<>-][^\s"'[\]<>]{2,})/dg,
  },
  { hint: 'sqlcmd', pattern: /\bsqlcmd\s(?:[^\n]{0,400}?\s)?-P\s{0,3}["']?(?<it>[^\s"'[\]<>-][^\s"'[\]<>]{2,})/dg },
  {
    hint: 'redis-cli',
    pattern: /\bredis-cli\s(?:[^\n]{0,400}?\s)?-a\s{1,3}["']?(?<it>[^\s"'[\]<>-][^\s"'[\]<>]{2,})/dg,
  },
  {
    hint: '/user:',
    pattern:
      /\bnet\s{1,3}use\s[^\n]{0,400}?\/user:[^\s[\]]{1,100}\s{1,3}(?<it>(?!\/)(?=\S{0,60}\d)[^\s"'[\]<>()]{2,})/dgi,
  },
  // Matches `<password>…</password>` and `<add key="Password" value="…"/>`.
  {
    hint: '</',
    pattern: /<(?:\w{1,20}:)?\w{0,30}(?:password|pwd|secret|token|apikey)[^<>]{0,100}>(?<it>[^<>[\]\n]{2,})<\//dgi,
  },
  {
    hint: 'value=',
    pattern: /["'][\w.:-]{0,40}(?:password|pwd|secret|token|api_?key)["']\s{1,3}value=["'](?<it>[^"'[\]\n]{2,})/dgi,
  },
  // Matches `{"name": "DB_PASSWORD", "value": "…"}`, and the same pair in YAML on two lines.
  {
    hint: 'value',
    pattern:
      /\bname["']?\s{0,3}:\s{0,3}["']?[\w.:-]{0,40}(?:password|passwd|pwd|secret|token|api_?key)["']?(?:\s{0,3},\s{0,40}|[ \t]{0,3}\r?\n[ \t]{0,40})["']?value["']?\s{0,3}:\s{0,3}["']?(?<it>(?!true\b|false\b|null\b|\d{1,3}\b)[^\s"'[\]<>{}$,][^\s"'[\]<>{},]{3,})/dgi,
  },
  // Matches `User / password: bob / hunter2`.
  { hint: 'user', pattern: /user\w{0,8}\s?\/\s?pass\w{0,8}\s?[:=]\s?[^\s/]{1,60}\s?\/\s?(?<it>[^\s/[\]]{3,})/dgi },
  // Matches `IDENTIFIED BY '…'` and `ConvertTo-SecureString "…"`.
  { hint: 'identified by', pattern: /identified by\s{1,3}["'](?<it>[^"'[\]\n]+)["']/dgi },
  {
    hint: 'securestring',
    pattern: /convertto-securestring\s{1,3}(?:-string\s{1,3})?["'](?<it>[^"'[\]$\n]+)["']/dgi,
  },
  // Matches a shared access signature and the key of a serverless function.
  { hint: 'sig=', pattern: /[?&;]sig=(?<it>[\w%+/=-]{20,})/dgi },
  { hint: 'code=', pattern: /[?&;]code=(?<it>[\w%+/=-]{20,})/dgi },
]

/** Finds passwords and keys in commands, headers, markup and query strings. */
export function findCommandPasswords(text: string): Finding[] {
  const lower = text.toLowerCase()
  const found = forms.flatMap(({ hint, pattern }) => (lower.includes(hint) ? findAll(text, pattern, 'password') : []))
  return [...found, ...findOracleLogins(text)]
}

const ORACLE_LOGIN = /(?<![\w/.@-])[A-Za-z][\w$#]{0,127}\/(?<it>[^\s/@"'[\]]{2,})@(?<service>[^\s"'`]{0,253})/dg
const ORACLE_COMMAND =
  /(?:\b(?:sqlplus|sqlldr|sqlcl|expdp|impdp|rman|conn(?:ect)?)\s{1,3}(?:-\w{1,8}\s{1,3})?|:)["']?$/i
/** Matches an alias in capitals, a host with the usual port, or a connect descriptor. */
const ORACLE_SERVICE =
  /^(?:\/\/\w|\(description|[A-Z][A-Z0-9_]{2,}(?:\.[\w.]{1,253})?[.,;:)]?$|(?:tns[\w-]*|orcl\w*|xe(?:pdb\d)?)[.,;:)]?$|[\w.-]{1,253}:15\d\d\b)/

/**
 * Finds `scott/tiger@ORDERS` if the command before it or the service name after it identifies an Oracle login.
 * `actions/checkout@v4` has the same form but is not a login.
 */
function findOracleLogins(text: string): Finding[] {
  const logins = findRunsWith(text, '@').filter((run) => run.text.includes('/'))
  return logins.flatMap((run) =>
    [...run.text.matchAll(ORACLE_LOGIN)].flatMap((match) => {
      const at = run.start + match.index
      const [start, end] = match.indices?.groups?.['it'] ?? [0, 0]
      const isOracle =
        ORACLE_COMMAND.test(text.slice(Math.max(0, at - 24), at)) ||
        ORACLE_SERVICE.test(match.groups?.['service'] ?? '')
      return isOracle ? [{ start: run.start + start, end: run.start + end, kind: 'password' as const }] : []
    }),
  )
}
