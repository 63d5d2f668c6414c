import { describe, expect, it } from 'vitest'
import { sanitizeText } from '../../../src/sanitize'
import { counts, fromHtml, fromLine, fromMarkdown } from './context'

const kept = (text: string) => expect(fromLine(text)).toEqual({ text, removed: [] })

describe('phone numbers', () => {
  it.each([
    '+1 212 555 0147',
    '+1 (212) 555-0147',
    '+1-212-555-0147',
    '+12125550147',
    '+49 170 1234567',
    '+49 (0) 30 / 123456',
    '+44 20 7946 0958',
    '+33 1 23 45 67 89',
    '+31(0)101234567',
    '0049 170 1234567',
    '(212) 555-0147',
    '212-555-0147',
    '212.555.0147',
    '1-800-555-0199',
    '0170 1234567',
    '0170-1234567',
    '(030) 1234567',
    '020 7946 0958',
    '06 12 34 56 78',
    '044 668 18 00',
    '(11) 91234-5678',
    '8 (495) 123-45-67',
    '138 0013 8000',
    '090-1234-5678',
    '0471 12 34 56',
  ])('%s is replaced', (number) => {
    expect(fromLine(`Please ring ${number} today`).text).toBe('Please ring [phone removed] today')
    expect(fromLine(`The carrier gave ${number}.`).text).toBe('The carrier gave [phone removed].')
  })

  it.each([
    ['Tel. 089/123456', 'Tel. [phone removed]'],
    ['Tel: 212 555 0147', 'Tel: [phone removed]'],
    ['phone number 2125550147 (office)', 'phone number [phone removed] (office)'],
    ['Mobile no. 01 23 45 67 89', 'Mobile no. [phone removed]'],
    ['call us at 555-0147', 'call us at [phone removed]'],
    ['Fax 5550147 ext. 23, or mail', 'Fax [phone removed], or mail'],
    ['☎ 030 1234', '☎ [phone removed]'],
  ])('recognizes a number by its label: %s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
  })

  it.each([
    'PO 4500012345 of 2026-11-20',
    'order no. 212-555-0147 is late',
    'SKU 300-200-4000, part # 212.555.0147',
    'IBAN ES91 2100 0418 4502 0005 1332',
    'GTIN 00012345600012, SSCC 003401234567890123',
    'pallets 12 24 36 48 60 72',
    'doors 01 02 03 04 05',
    'hours 06 12 18 24 30 and times 06 10 14 18 22',
    'dates 01.02.03.04.05',
    'order 138 0013 8000',
    'open 0600-1400 and 0600 1400 2200',
    'from 08:00 to 17:30 on 20.11.2026 or 11/20/2026',
    'version 10.0.19045.3693 at 192.168.100.200',
    'USD 1,234,567.89 or +12.500.000 or +1 000 000',
    'weights 1 200 300 400 lbs',
    'UTC+02:00, +15 minutes, +100%',
    'item 8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
    'sha 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    'card 4111 1111 1111 1111',
    'call 3 carriers before 12',
    'ISO 9001-2015, EN 13155-2020',
    'IBAN DE89 3704 0044 0532 0130 00',
    '2026-11-20T09:34:00.000Z',
    'row 100200300 of 200300400',
    'vol. 7, pages 443-454 (1950)',
  ])('keeps other numbers: %s', kept)

  it.each([
    ['+49 170 1234567 2 pallets', '[phone removed] 2 pallets'],
    ['at 8:00 212-555-0147', 'at 8:00 [phone removed]'],
    ['212-555-0147 12 doors', '[phone removed] 12 doors'],
    ['+1 212 555 0147, +49 30 123456; 0170 1234567', '[phone removed], [phone removed]; [phone removed]'],
  ])('finds a number next to other numbers: %s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
  })

  it('finds only unambiguous numbers in code', () => {
    const code = '`retry(212-555-0147)` `+49 170 1234567`'
    expect(fromMarkdown(code).markdown).toBe('`retry(212-555-0147)` `[phone removed]`')
  })

  it('searches code that touches a word both joined and separate', () => {
    expect(fromMarkdown('`+49 170 1234567`word').markdown).toBe('`[phone removed]`word')
    expect(fromMarkdown('at`x`+49 170 1234567`y`').markdown).toBe('at`x`[phone removed]`y`')
    expect(fromMarkdown('jane`@contoso.com`').markdown).toBe('[email removed]')
  })

  it('finds other text as usual if a word touches code', () => {
    const rest = 'Say `password` C#7 `b`.'
    expect(fromMarkdown(rest).markdown).toBe(rest)
    expect(fromMarkdown(`${rest}\n\nends\`x\``).markdown).toBe(`${rest}\n\nends\`x\``)
  })
})

describe('accounts', () => {
  it.each([
    ['as CONTOSO\\jdoe', 'as [account removed]'],
    ['CORP-EU\\svc.build$ runs it', '[account removed] runs it'],
    ['AzureAD\\JaneDoe', '[account removed]'],
    ['corp.contoso.com\\jane', '[account removed]'],
    ['run as contoso\\jane', 'run as [account removed]'],
    ['jane@contoso.onmicrosoft.com', '[account removed]'],
    ['jane_contoso.com#EXT#@fabrikam.onmicrosoft.com', '[account removed]'],
    ['jane@corp.local', '[account removed]'],
    ['CONTOSO\\jane.doe and CONTOSO\\bob.smith agreed', '[account removed] and [account removed] agreed'],
    ['Ask CONTOSO\\jdoe to check src\\app first.', 'Ask [account removed] to check src\\app first.'],
    ['CONTOSO\\jdoe moved C:\\temp to \\\\server\\share', '[account removed] moved C:\\temp to \\\\server\\share'],
    ['CONTOSO\\jdoe wrote \\d+ there', '[account removed] wrote \\d+ there'],
    ['CONTOSO\\jdoe deletes bin\\debug', '[account removed] deletes bin\\debug'],
    ['log in as contoso\\jane', 'log in as [account removed]'],
    ['logged on to the door as contoso\\jane', 'logged on to the door as [account removed]'],
    ['sign in as contoso\\jane', 'sign in as [account removed]'],
    ['signing in as contoso\\jane', 'signing in as [account removed]'],
    ['run it as contoso\\svc-build', 'run it as [account removed]'],
    ['runs under contoso\\svc-build', 'runs under [account removed]'],
    ['started the service as contoso\\svc-build', 'started the service as [account removed]'],
    ['impersonate contoso\\jane', 'impersonate [account removed]'],
    ['CONTOSO\\jdoe CONTOSO\\bsmith', '[account removed] [account removed]'],
    ['fabrikam\\mmuster', '[account removed]'],
    ['ask widgets\\anna', 'ask [account removed]'],
    ['WIDGETS\\jdoe said that widgets\\anna left', '[account removed] said that [account removed] left'],
    ['CONTOSO\\jdoe; widgets\\anna, widgets\\olaf', '[account removed]; [account removed], [account removed]'],
    ['(ACME\\\\jdoe)', '([account removed])'],
    ['Fabrikam\\Jane.Doe', '[account removed]'],
    ['sign in as Rklein', 'sign in as [account removed]'],
    ['Log in as jsmith42 please', 'Log in as [account removed] please'],
    ['Log in as: jsmith42', 'Log in as: [account removed]'],
    ['Sign in as mmuster', 'Sign in as [account removed]'],
    ['run it as svc_batch nightly', 'run it as [account removed] nightly'],
    ['logged in to the board as “j.smith”.', 'logged in to the board as “[account removed]”.'],
    ['login as the user rklein7 / pw hunter2!', 'login as the user [account removed] / pw [secret removed]'],
  ])('%s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
  })

  it.each([
    'C:\\temp\\x.log',
    '\\\\server\\share\\file',
    'D:\\Jobs',
    'src\\app\\main.ts',
    'HKLM\\Software\\Studio',
    'BUILTIN\\Administrators',
    'SETUP\\run.exe',
    'Fabrikam\\Web\\Login',
    'FABRIKAM\\Web team\\Sprint 1',
    'open it as src\\app, run it as bin\\studio.exe',
    'act as a proxy for web\\app\\main',
    'a\\b and \\d+ and \\n',
  ])('keeps a path: %s', kept)

  it.each([
    ...[
      'UI\\UX',
      'TCP\\IP',
      'AUTH\\login',
      'DC1\\door3',
      'SERVER\\SQLEXPRESS',
      'DOMAIN\\username',
      'run as DOMAIN\\username',
    ],
    ...['read\\write', 'src\\utils', 'Docks\\Sprint1', 'Fabrikam\\Web', 'first\\nsecond', 'namespace App\\User'],
  ])('keeps other texts with a backslash: %s', kept)

  it.each([
    ...['log in as admin', 'sign in as planner2', 'run it as a service', 'log in as user1', 'sign in as expected'],
    ...['run it as root', 'run it as nginx', 'ran it as node18', 'run as setup.exe', 'log in as example.com'],
    ...['signed in as strangers', 'runs as https://x.example', 'log in as usual', 'run as service_account'],
    ...['log in as dispatcher2', 'runs as systemd.service', 'run as admin.console', 'log it as warning2'],
    ...['run as vscode task', 'we run it as sqlite test', 'it logs as ndjson'],
  ])('keeps roles and other words: %s', kept)

  it.each([
    ['C:\\Users\\rklein\\AppData', 'C:\\Users\\[account removed]\\AppData'],
    ['"C:\\\\Users\\\\rklein"', '"C:\\\\Users\\\\[account removed]"'],
    ['C:\\Users\\Renate Klein\\x', 'C:\\Users\\[account removed]\\x'],
    ['in /home/rklein.', 'in /home/[account removed].'],
    ['/home/rklein/.ssh and /Users/rklein', '/home/[account removed]/.ssh and /Users/[account removed]'],
  ])('replaces a user name in a path: %s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
    expect(fromMarkdown(`\`${text}\``).markdown).toBe(`\`${expected}\``)
    expect(fromLine(expected)).toEqual({ text: expected, removed: [] })
  })

  it.each([
    'C:\\Users\\Public\\x',
    'the page /home/dashboard',
    'GET /users/list and /Users/42',
    'https://example.org/home/rklein',
    '/home/$USER and /home/<name>',
  ])('keeps a path without a user name: %s', kept)

  it('replaces an account that is the whole code', () => {
    expect(fromMarkdown('as `CONTOSO\\jdoe`').markdown).toBe('as `[account removed]`')
  })

  it('replaces an account in other code only after a label', () => {
    expect(fromMarkdown('`print("LINE\\nfoo")` `net use /user:CONTOSO\\jdoe`').markdown).toBe(
      '`print("LINE\\nfoo")` `net use /user:[account removed]`',
    )
  })
})

describe('e-mail addresses', () => {
  it.each([
    'jane@contoso.com',
    'jane.o’doe+tag@mail.contoso.co.uk',
    "o'neil@contoso.com",
    'j@x.io',
    'jörg@müller.de',
    'x@sub.xn--mller-kva.de',
    'JANE_DOE@CONTOSO.COM',
    'jane.doe\uff20contoso.com',
    'jane.doe%40contoso.com',
    'zoe\u0308.doe@mu\u0308ller.de',
  ])('%s is replaced', (address) => {
    expect(fromLine(`to ${address}, please`).text).toBe('to [email removed], please')
  })

  it.each([
    'lodash@4.17.21',
    '@angular/core@17.0.1',
    'icon@2x.png',
    'git@github.com:org/repo.git',
    'icon%402x.png',
    'a @ b',
    'user@host',
  ])('keeps %s', kept)
})

describe('mentions', () => {
  it.each([
    ['@Jane Doe please', '@someone please'],
    ['@jane doe, please', '@someone, please'],
    ['(@Jane)', '(@someone)'],
    ['@Bob Smith and @Smith, Bob', '@someone and @someone'],
    ["@Jane Doe's door", "@someone's door"],
    ['@CONTOSO\\ana.lee', '@someone'],
    ['@Zoë Ångström!', '@someone!'],
    ['@Zoe\u0308 A\u030angstro\u0308m!', '@someone!'],
    ['@jane.doe and @zoe.angstrom', '@someone and @someone'],
    ['@ana.lee has it', '@someone has it'],
    ['@<8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d>', '@someone'],
  ])('%s', (text, expected) => {
    const result = fromLine(text)
    expect(result.text).toBe(expected)
    expect(result.removed[0]?.kind).toBe('mention')
  })

  it.each(['@Component and @param', '@janet', 'jane @ door', '@someone'])('keeps %s', kept)

  it.each([
    ['Jane Doe has it', '@someone has it'],
    ["ask jane doe's team, or Doe, Jane", "ask @someone's team, or @someone"],
    ['Bob Smith and Smith, Bob', '@someone and @someone'],
    ['Zoe Angstrom or Zoë Ångström', '@someone or @someone'],
  ])('replaces the full name of a known person without an at sign: %s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
    expect(fromLine(expected)).toEqual({ text: expected, removed: [] })
  })

  it('finds a full name across formatting and line ends, and in code', () => {
    expect(fromHtml('<p>by <b>Jane</b> Doe</p><pre>author: Jane Doe</pre>').markdown).toBe(
      'by **@someone**\n\n```\nauthor: @someone\n```',
    )
    expect(fromMarkdown('by Jane\nDoe').markdown).toBe('by @someone')
  })

  it.each(['Jane has it', 'a doe', 'Janet Doering', 'Bob Smithson', 'John Nobody'])(
    'keeps an unknown or incomplete name: %s',
    kept,
  )

  it('finds mentions of an editor by their markup, not by the name', () => {
    const { markdown, removed } = fromHtml('<a data-vss-mention="version:2.0,x">@Nobody Known</a> <at>Other</at>')
    expect(markdown).toBe('@someone @someone')
    expect(counts(removed)).toEqual({ mention: 2 })
  })
})

describe('logins of a code host', () => {
  const clean = (text: string, areLogins = true) =>
    sanitizeText({ format: 'markdown', text }, { trackerHosts: [], areLogins }).markdown

  it.each([
    ['@octocat, please look', '@someone, please look'],
    ['cc @octo-cat and (@octo-org/docks).', 'cc @someone and (@someone).'],
    ['**@octocat** said', '**@someone** said'],
    ['"@octocat\'s door"', '"@someone\'s door"'],
  ])('are mentions: %s', (text, expected) => {
    expect(clean(text)).toBe(expected)
    expect(clean(expected)).toBe(expected)
    expect(clean(text, false)).toBe(text)
  })

  it.each(['`@octocat` in code', 'npm i @angular/core@17.0.1', 'a@b', 'v2@2x', '@someone, please'])(
    'are not in %s',
    (text) => expect(clean(text)).toBe(text),
  )
})
