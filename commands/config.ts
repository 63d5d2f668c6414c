import * as z from 'zod'
import {
  ANY_TRACKER,
  changeSetting,
  getChangedSetting,
  getSetting,
  getUserSettingsFile,
  listSettingKeys,
  listSettings,
  listTokenSettings,
  type Setting,
} from '../src/config/services/list-settings'
import { StudioError } from '../src/kernel'
import { listStoredTokens, offerToDeleteTokens } from './delete-tokens'
import type { StandaloneCommand } from './operation/command-parts'
import type { Invocation } from './start/invocation'
import { canvasFor } from './terminal/colors'
import { printableLine, table } from './terminal/layout'
import { renderJson, requireFields } from './terminal/render-json'
import { writeMessage } from './terminal/write-message'

const related = ['help environment', 'doctor']
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable()
const SettingAnswer = z.object({ key: z.string(), value, source: z.string() })
const ChangedSetting = SettingAnswer.extend({ file: z.string() })

export const configList: StandaloneCommand = {
  define(command) {
    command.option('--sources', 'Show where each value comes from')
    return { examples: ['studio config list', 'studio config list --sources --json'], related }
  },
  async run(command, { terminal, flags }) {
    const { sources } = command.opts() as { sources?: true }
    const settings = [...listSettings(terminal), ...listTokenSettings(terminal)]
    if (flags.json) {
      const entries = sources ? settings : settings.map(({ key, value }) => ({ key, value }))
      const schema = z.array(sources ? SettingAnswer : SettingAnswer.omit({ source: true }))
      if (flags.fields) requireFields(flags.fields, schema)
      terminal.out(renderJson(entries, flags.fields, schema))
      return 0
    }
    const columns = [
      { title: 'SETTING', text: ({ key }: Setting) => key },
      { title: 'VALUE', text: formatSetting },
      ...(sources ? [{ title: 'SOURCE', text: ({ source }: Setting) => source }] : []),
    ]
    await terminal.show(table(canvasFor('out', { terminal, flags }), settings, columns), flags)
    return 0
  },
}

export const configGet: StandaloneCommand = {
  define(command) {
    command.argument('<key>', 'Setting, such as tracker.url')
    return { examples: ['studio config get serve.port', 'studio config get db --json'], related }
  },
  async run(command, { terminal, flags }) {
    const setting = getSetting(command.args[0]!, terminal)
    if (flags.json) terminal.out(renderJson(setting, flags.fields, SettingAnswer))
    else if (setting.value === null) {
      throw new StudioError('not_found', `${setting.key} is not set.`, {
        hint: `studio config set ${setting.key} <value>`,
      })
    } else terminal.out(`${formatSetting(setting)}\n`)
    return 0
  },
}

export const configSet: StandaloneCommand = {
  define(command) {
    command
      .argument('<key>', 'Setting, such as tracker.url')
      .argument('[value]', 'New value; separate the entries of a list with commas')
      .option('--unset', 'Remove the setting instead')
      .option('--project', 'Write to studio.config.json in this folder')
    return {
      about: `Settings: ${listSettingKeys([ANY_TRACKER]).join(', ')}. Secrets are not stored as settings. If --unset removes a tracker whose token is stored, it offers to delete the token too; --yes deletes it without a question.`,
      examples: [
        'studio config set user ana@example.com',
        'studio config set tracker.project Harbor --project',
        'studio config set trackers.gh.url https://github.com/acme/harbor',
        'studio config set user --unset',
      ],
      related,
    }
  },
  async run(command, invocation) {
    const [key, value] = command.args as [string, string?]
    const { unset, project } = command.opts() as { unset?: true; project?: true }
    if ((value === undefined) !== (unset === true)) {
      throw new StudioError(
        'invalid',
        unset ? 'Specify a value or --unset, not both.' : `Specify a value for ${key}.`,
        {
          hint: `studio config set ${key} <value>, or: studio config set ${key} --unset`,
        },
      )
    }
    const { terminal, flags } = invocation
    if (flags.fields) requireFields(flags.fields, ChangedSetting)
    const storedTokens = unset ? listStoredTokens(terminal) : []
    const file = await changeSetting({ key, text: value ?? null, scope: project ? 'project' : 'user' }, terminal)
    if (flags.json)
      terminal.out(renderJson({ ...getChangedSetting(key, terminal), file }, flags.fields, ChangedSetting))
    else reportChange(invocation, key, file)
    await offerToDeleteTokens(storedTokens, invocation)
    return 0
  },
}

/** Reports the file, and which other source overrides the value. */
function reportChange({ terminal, flags }: Invocation, key: string, file: string): void {
  if (flags.quiet) return
  writeMessage(terminal, `Written to ${file}`)
  const { source } = getChangedSetting(key, terminal)
  const isOverruled = source !== file && source !== 'default' && source !== getUserSettingsFile(terminal.env)
  if (isOverruled) writeMessage(terminal, `It has no effect yet, because ${source} overrides it.`)
}

function formatSetting({ value }: Setting): string {
  return value === null ? '' : printableLine(Array.isArray(value) ? value.join(', ') : String(value))
}
