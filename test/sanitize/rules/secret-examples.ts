import fc from 'fast-check'
import { entropyOf, isRandomText } from '../../../src/sanitize/rules/redact/tokens/random-text'
import rules from '../../../src/sanitize/rules/redact/tokens/secret-rules.json'
import { fake, HEX, password, privateKey, tokens } from './fake-secrets'

/** A text with a secret in it. */
export interface SecretExample {
  text: string
  secret: string
}

/** An example in which the secret is the password. */
const of = (text: string): SecretExample => ({ text, secret: password })
const UUID = '8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d'
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Passwords and keys by the label before them, in the languages that write them. What is not the secret stays. */
export const values: Record<string, SecretExample> = {
  prose: of(`Password: ${password}`),
  'prose with a wide colon': of(`password：${password}`),
  'prose with a wide colon in Chinese': of(`密码： ${password}`),
  'settings with a wide sign': of(`password＝${password}`),
  'prose with a short label': of(`p/w: ${password}`),
  'prose of a user with a short label': of(`User: bob, P/W = ${password}`),
  'prose, of a user': of(`Password for the test user: ${password}`),
  'prose with a verb': of(`The password is ${password}`),
  'prose in typographic quotes': of(`Passwort: “${password}”`),
  'a number after the label': of(`Password 2: ${password}`),
  'aligned settings': of(`password        = ${password}`),
  'a shell variable': of(`DB_PASSWORD='${password}'`),
  'a shell variable with escapes': { text: "PASSWORD=$'Hk29\\'dLq81z' psql", secret: "Hk29\\'dLq81z" },
  'a shell word with an escape': { text: 'PASSWORD=Ab\\"cd81kkdm psql', secret: 'Ab\\"cd81kkdm' },
  'a variable of letters before a command': { text: 'PGPASSWORD=tulips psql -h db', secret: 'tulips' },
  'a variable of a container': { text: 'docker run -e POSTGRES_PASSWORD=tulips postgres', secret: 'tulips' },
  'the default of a variable': of(`DB_PASSWORD=${'$'}{DB_PASSWORD:-${password}}`),
  'the default of a setting': of(`password: "${'$'}{DB_PASSWORD:${password}}"`),
  JSON: of(`{"password": "${password}", "user": "bob"}`),
  'JSON with an escaped quote': { text: '{"password": "Ab\\"cd81kkdm", "x": 1}', secret: 'Ab\\"cd81kkdm' },
  'JSON in JSON': of(`{"body": "{\\"password\\":\\"${password}\\",\\"user\\":\\"bob\\"}"}`),
  'JSON in JSON with an escaped quote': {
    text: '{"body": "{\\"password\\":\\"Hk\\\\\\"29dLq\\"}"}',
    secret: 'Hk\\\\\\"29dLq',
  },
  'JSON in JSON in JSON': of(`"{\\"a\\":\\"{\\\\\\"password\\\\\\":\\\\\\"${password}\\\\\\"}\\"}"`),
  'JSON with escaped characters': of(`\\u0022password\\u0022:\\u0022${password}\\u0022`),
  'JSON in HTML': of(`&quot;password&quot;:&quot;${password}&quot;`),
  'JSON in CSV': of(`""password"": ""${password}""`),
  'YAML in single quotes': { text: "password: 'it''s-Hk29dLq81z'", secret: "it''s-Hk29dLq81z" },
  'YAML on the next line': { text: 'password:\n      Hk29dLq81z\nuser: bob', secret: 'Hk29dLq81z' },
  'a YAML block': { text: 'password: |\n  Hk29dLq81z\nuser: bob', secret: 'Hk29dLq81z' },
  'a folded YAML block': {
    text: 'db:\n  password: >-\n    Hk29dLq81z\n    Ab81\n  user: bob',
    secret: 'Hk29dLq81z\n    Ab81',
  },
  'a YAML value with spaces': { text: 'password: correct horse 2 battery # old', secret: 'correct horse 2 battery' },
  'a YAML word': { text: 'smtp:\n  user: bob\n  password: tulips', secret: 'tulips' },
  'a list of one': of(`passwords = ['${password}']`),
  'a plain list': { text: 'passwords: [Hk29dLq81z]', secret: 'Hk29dLq81z' },
  SQL: of(`ALTER ROLE x WITH PASSWORD '${password}'`),
  'SQL of a new user': of(`CREATE USER x IDENTIFIED WITH native BY '${password}'`),
  'SQL in Unicode': of(`PASSWORD = N'${password}'`),
  PHP: of(`'password' => '${password}',`),
  'a constant of PHP': { text: "define('DB_PASSWORD', 'tulips');", secret: 'tulips' },
  Ruby: of(`:password => "${password}"`),
  Lua: of(`["DB_PASSWORD"] = "${password}"`),
  'an element of an array': of(`$config['db']['password'] = '${password}';`),
  Go: of(`dbPassword := \`${password}\``),
  'a type before the value': of(`const password: string = "${password}"`),
  'a type without a colon': { text: 'var dbPassword string = "tulips"', secret: 'tulips' },
  'joined strings': { text: 'password = "Hk29" + "dLq81z"', secret: 'Hk29" + "dLq81z' },
  'a string in three quotes': { text: 'password = """Hk29"dLq81z"""', secret: 'Hk29"dLq81z' },
  'a comparison': of(`if (password == "${password}")`),
  'a call': of(`System.setProperty("DB_PASSWORD", "${password}")`),
  'an XML element': of(`<sonar.password>${password}</sonar.password>`),
  'an XML entry': of(`<entry key="jdbc.password">\n  ${password}\n</entry>`),
  'XML data': { text: '<password><![CDATA[Hk29<dLq81z]]></password>', secret: 'Hk29<dLq81z' },
  'an XML attribute': of(`<add key="SmtpPassword" value="${password}" />`),
  'an XML attribute before its key': of(`<add value="${password}" key="Password"/>`),
  'a property list': of(`<key>DBPassword</key>\n<string>${password}</string>`),
  'a property of Spring': of(`<property name="password"><value>${password}</value></property>`),
  'an object with name and value': of(`{"name":"DB_PASSWORD","value":"${password}"}`),
  'an object with value and name': of(`{"value":"${password}","name":"DB_PASSWORD"}`),
  'a YAML list of variables': of(`- name: DB_PASSWORD\n  value: ${password}`),
  'a connection string': of(`Server=db;User Id=sa;Pwd=${password};Encrypt=True`),
  'a connection string with braces': { text: 'Uid=sa;Pwd={Hk29;dL}}q81z};Encrypt=yes', secret: 'Hk29;dL}}q81z' },
  'a connection string in JSON': of(`{\\"c\\":\\"Server=x;Pwd=${password}\\"}`),
  'a value that begins like a placeholder': { text: 'password=<Ab1!xyz', secret: '<Ab1!xyz' },
  'a value that begins like a variable': { text: 'password=%Hk29dLq81z', secret: '%Hk29dLq81z' },
  'a value in a bracket': { text: 'password: [Hk29dLq', secret: '[Hk29dLq' },
  'a short label': of(`SMTP_PASS: ${password}`),
  'a label of two letters': of(`user: bob, pw: ${password}`),
  'a short label with a word': { text: 'pass: tulips', secret: 'tulips' },
  'a short label after a user': { text: 'user: bob, pass: tulips', secret: 'tulips' },
  'an integration key': { text: `integration_key: ${fake('', 32, HEX)}`, secret: fake('', 32, HEX) },
  'the word secret': { text: 'secret: tulips', secret: 'tulips' },
  'a short label in its own clause': { text: 'the test login, pass: tulips', secret: 'tulips' },
  'a shell variable of words': { text: 'PGPASSWORD="let me in" psql -h db', secret: 'let me in' },
  'a template that is not closed': { text: 'pwd={{Lk29dLq81z', secret: '{{Lk29dLq81z' },
  'an arrow': of(`password -> ${password}`),
  'a row without a table': of(`| password | ${password} |`),
  'a row without a table, below its head': of(`| user | password |\n| bob | ${password} |`),
  'a connection string with an apostrophe': { text: "Password=Zx81'k d;", secret: "Zx81'k d" },
  'a connection string with spaces': { text: 'Server=x;Password=Zx81 kd 2;Uid=sa', secret: 'Zx81 kd 2' },
  'a phrase': { text: 'passphrase: correct horse battery staple', secret: 'correct horse battery staple' },
  percent: of(`password%3A%20${password}`),
  'percent, before a space': of(`see password%3A ${password} there`),
  'percent, twice': of(`password%253A%2520${password}`),
}

/** Secrets that are found in prose only, because the same words are something else in code. */
export const inProse: Record<string, SecretExample> = {
  'the word secret before an equals sign': { text: 'client secret = tulips', secret: 'tulips' },
  'a variable of words': { text: 'PGPASSWORD="let me in" psql -h db', secret: 'let me in' },
  'a phrase of a wallet': {
    text: 'Seed phrase: tulips door yard gate lane dock',
    secret: 'tulips door yard gate lane dock',
  },
  'without a sign': of(`Password ${password}`),
  'without a sign, in a sentence': of(`user bob and password ${password}, then go on`),
  'a word at the end of a line': { text: 'Password: Summertime', secret: 'Summertime' },
}

/** Secrets in headers and addresses. */
export const addresses: Record<string, SecretExample> = {
  'a user and password': { text: `https://bob:${password}@example.org/x`, secret: `bob:${password}` },
  'a database': { text: `postgres://app:a/${password}@db.example.org/x`, secret: `app:a/${password}` },
  'a message broker': { text: `amqp://guest:${password}@mq.example.org:5672/v`, secret: `guest:${password}` },
  'Oracle, by a service in capitals': of(`scott/${password}@ORDERS`),
  'Oracle, by a known service': of(`scott/${password}@orcl`),
  'Oracle, by a name server': of(`scott/${password}@tns-prod`),
  'Oracle, by a domain': of(`scott/${password}@PROD.WORLD`),
  'the key of a function': { text: `GET /api/x?a=1&code=${fake('', 54)}==`, secret: `${fake('', 54)}==` },
  'a shared access signature': { text: `https://x.example/c?sv=1&sig=${fake('', 40)}&se=2`, secret: fake('', 40) },
  'a cookie': { text: `Cookie: session=${fake('', 20)}; lang=en`, secret: fake('', 20) },
  'a cookie of a server': { text: `Set-Cookie: sid=${fake('', 20)}; Path=/; HttpOnly`, secret: fake('', 20) },
  'a header with a bearer': { text: `Authorization: Bearer ${fake('', 40)}`, secret: fake('', 40) },
  'a bearer in a sentence': { text: `bearer ${fake('', 40)} was sent`, secret: fake('', 40) },
}

/** Passwords in commands. */
export const commands: Record<string, SecretExample> = {
  'any flag': of(`tool --password ${password} go`),
  'a flag with a prefix': of(`wget --http-password="${password}" https://x.example`),
  curl: of(`curl -s -u bob:${password} https://example.org`),
  'curl, with other flags': of(`curl -su bob:${password} https://example.org`),
  'curl, on the next line': of(`curl -X POST \\\n  --user bob:${password} https://example.org`),
  'curl, without a user': { text: 'curl -u ":Hk29dLq81z" https://example.org', secret: 'Hk29dLq81z' },
  'curl, quoted apart': { text: "curl --user bob:'Hk29dLq81z' https://example.org", secret: "'Hk29dLq81z'" },
  mysql: of(`mysql -u root -p${password} orders`),
  setx: of(`setx DB_PASS ${password}`),
  'setx, in quotes': of(`setx DB_PASS "${password}"`),
  'setx, a word for all users': { text: 'setx /M DB_PASSWORD tulips', secret: 'tulips' },
  setenv: of(`setenv API_TOKEN ${password}`),
  'setx of a client of PostgreSQL': of(`setx PGPASSWORD ${password}`),
  'set of fish': of(`set -gx DB_PASSWORD '${password}'`),
  sshpass: of(`sshpass -p '${password}' ssh bob@door`),
  docker: of(`docker login -u bob -p ${password} registry.example`),
  mongo: of(`mongodump -u bob -p ${password} --db orders`),
  zip: of(`zip -P ${password} a.zip b`),
  'zip, with other flags': of(`zip -rP ${password} a.zip b`),
  unzip: of(`unzip -P "${password}" a.zip`),
  '7z': of(`7z a -p${password} a.7z b`),
  rar: of(`rar a -hp${password} a.rar b`),
  ldapsearch: of(`ldapsearch -x -D cn=a -w ${password} -b dc=b`),
  smbclient: of(`smbclient //srv/share -U bob%${password} -c ls`),
  plink: of(`plink -ssh bob@door -pw ${password} ls`),
  xfreerdp: of(`xfreerdp /u:bob /p:${password} /v:door`),
  keytool: of(`keytool -list -storepass ${password} -keystore a.jks`),
  openssl: of(`openssl rsa -in a.pem -passin pass:${password} -out b.pem`),
  htpasswd: of(`htpasswd -nb bob ${password}`),
  sqlcmd: of(`sqlcmd -S db -U sa -P ${password} -Q x`),
  'redis-cli': of(`redis-cli -h cache -a ${password} ping`),
  'net use': of(`net use z: \\\\docks\\x /user:bob ${password}`),
  sqlplus: of(`sqlplus scott/${password}@orders`),
  PowerShell: of(`ConvertTo-SecureString "${password}" -AsPlainText`),
  'a user and password in prose': { text: `user/password: bob/${password}`, secret: `bob/${password}` },
}

const login = base64(`bob:${password}`)
const secretOf = (form: string) => base64(`${form} of a cluster`)

/** Secrets that are encoded, and addresses that contain one. */
export const encoded: Record<string, SecretExample> = {
  'a login of Docker': { text: `{"auths":{"r.example":{"auth":"${login}"}}}`, secret: login },
  'a login of npm': { text: `//r.example/:_auth=${login}`, secret: login },
  'a login of HTTP': { text: `Basic ${login}`, secret: login },
  'a token in base64': { text: `data ${base64(`x ${tokens['GitHub']}`)} end`, secret: base64(`x ${tokens['GitHub']}`) },
  'a private key in base64': { text: `key: ${base64(privateKey.join('\n'))}`, secret: base64(privateKey.join('\n')) },
  'a Secret of Kubernetes': {
    text: `kind: Secret\nmetadata:\n  name: a\ndata:\n  extra: ${secretOf('key')}\ntype: Opaque`,
    secret: secretOf('key'),
  },
  'a Secret of Kubernetes in a block': {
    text: `kind: Secret\ndata:\n  .dockercfg: |\n    ${secretOf('login')}\nmetadata:\n  name: a`,
    secret: secretOf('login'),
  },
  'a Secret of Kubernetes in JSON': {
    text: `{"kind": "Secret", "data": {"extra": "${secretOf('key')}"}}`,
    secret: secretOf('key'),
  },
  ...Object.fromEntries(
    [
      'https://hooks.zapier.com/hooks/catch/1234567/abcdef/',
      `https://maker.ifttt.com/trigger/door_open/with/key/${fake('', 22)}`,
      `https://n8n.example.com/webhook/${UUID}`,
      `https://webhook.site/${UUID}`,
      `https://events.pagerduty.com/integration/${fake('', 32, HEX)}/enqueue`,
      `https://calendar.google.com/calendar/ical/jane%40contoso.example/private-${fake('', 32, HEX)}/basic.ics`,
      `https://outlook.office365.com/owa/calendar/${fake('', 32, HEX)}@contoso.example/${fake('', 36, HEX)}/calendar.ics`,
      `https://hc-ping.com/${UUID}`,
    ].map((address) => [address, { text: `see ${address} there`, secret: address }]),
  ),
}

/** Tokens by their form. */
const byForm = Object.fromEntries(
  Object.entries({
    ...tokens,
    'a session of the console': fake(['studio', 'ses', ''].join('_'), 36),
    'a secret of a web hook': `${['wh', 'sec'].join('')}_${fake('', 32)}`,
  }).map(([name, token]) => [name, { text: `use ${token} now`, secret: token }]),
)

/** One example for each rule of gitleaks, made from its pattern. */
const byRule = Object.fromEntries([
  ...rules.tokens.map(({ id, pattern, entropy }) => {
    const isUsable = (token: string) =>
      token.length >= 15 &&
      entropyOf(token) >= entropy &&
      (/\d/.test(token) || (/[A-Za-z]{32}/.test(token) && entropyOf(token) >= 4))
    const [secret = ''] = fc.sample(matching(pattern.replaceAll('\\b', '')).filter(isUsable), { numRuns: 1, seed: 1 })
    return [id, { text: `use ${secret} now`, secret }]
  }),
  ...rules.labelled.map(({ id, hints, label, value, entropy }) => {
    const nameOf = (hint: string) => (/^(?:snyk|sonar)$/.test(hint) ? `${hint}_token` : hint)
    const name = hints.map(nameOf).find((hint) => new RegExp(`^(?:${label})$`, 'i').test(hint))
    const usable = matching(value.replaceAll('\\w', 'A-Za-z0-9_')).filter(
      (token) => isRandomText(token) && entropyOf(token) >= entropy,
    )
    const [secret = ''] = fc.sample(usable, { numRuns: 1, seed: 1 })
    return [id, { text: `the ${name}: ${secret} now`, secret }]
  }),
])

function matching(pattern: string) {
  return fc.stringMatching(new RegExp(`^(?:${pattern})$`))
}

/** At least one example for each rule that finds secrets. */
export const secretExamples: Record<string, SecretExample> = {
  ...values,
  ...inProse,
  'a cell below its label': of(`User\tPassword\nbob\t${password}`),
  ...addresses,
  ...commands,
  ...encoded,
  ...byForm,
  ...byRule,
  'a private key': { text: privateKey.join('\n'), secret: privateKey.join('\n') },
}
