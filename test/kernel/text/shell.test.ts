import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandToAllow, commandToProtect, commandToSet, quoteForShell } from '../../../src/kernel/text/shell'

describe('a word of a command line', () => {
  it.runIf(process.platform !== 'win32')('is what sh reads again, whatever is in it', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((value) => !/[\0\n]|^<[\p{L}\p{N}-]+>$/u.test(value))
    const words = [...fc.sample(text, 200), '<a;echo b>', '<a b>']
    const line = `printf '%s\\n' ${words.map((word) => quoteForShell(word)).join(' ')}`
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('\n')}\n`)
  })

  it.each([
    ['DC1', 'DC1'],
    ['Door 3', '"Door 3"'],
    ['<name>', '<name>'],
    ['C:\\Users\\Ana\\plan.db', 'C:\\Users\\Ana\\plan.db'],
    ['C:\\My plans\\', '"C:\\My plans\\\\"'],
    ['@current', '"@current"'],
    ["Ana's list", `"Ana's list"`],
    ['tom & (co)', '"tom & (co)"'],
    ['a > b | c', '"a > b | c"'],
    ["Ana's $HOME", '"Ana\'s `$HOME"'],
    ['a `n b', '"a ``n b"'],
    ['“late”', '"““late””"'],
    // cmd ends no quotes at a doubled one, so it does not run the rest.
    ['a" & calc', '"a"" & calc"'],
    ['<a & calc>', '"<a & calc>"'],
    // To cmd, a part of a variable can be a quote.
    ['%CMDCMDLINE:~0,1% & calc', '"%$()CMDCMDLINE:~0,1%$() & calc"'],
    ['%PATH%', '"%$()PATH%$()"'],
    ['100%', '100%'],
    ['5% off', '"5% off"'],
    ['', '""'],
  ])('of Windows: %s', (value, word) => expect(quoteForShell(value, 'win32')).toBe(word))
})

describe('a command of the system', () => {
  it('sets a variable', () => {
    const sender = 'Docks <docks@example.com>'
    expect(commandToSet('STUDIO_SMTP_FROM', sender, 'linux')).toBe(`export STUDIO_SMTP_FROM="${sender}"`)
    expect(commandToSet('STUDIO_SMTP_FROM', sender, 'win32')).toBe(`$env:STUDIO_SMTP_FROM = '${sender}'`)
  })

  it('changes who may use a file, also where its path has spaces', () => {
    expect(commandToProtect('/my data/a', 'file', 'darwin')).toBe('chmod 600 "/my data/a"')
    expect(commandToAllow('/data', 'folder', 'linux')).toBe('chmod u+rwx /data')
    expect(commandToProtect('D:\\my data', 'folder', 'win32')).toMatch(
      /^icacls "D:\\my data" \/inheritance:r \/grant:r ".+:\(OI\)\(CI\)F"$/,
    )
  })
})
