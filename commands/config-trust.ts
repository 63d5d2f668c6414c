import * as z from 'zod'
import { resolvePaths } from '../src/config'
import { readProjectFile } from '../src/config/services/load-settings'
import { findProjectFile } from '../src/config/services/paths'
import { listTrustedProjects, revokeTrust, trustProject } from '../src/config/services/project-trust'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'
import { printableLine } from './terminal/layout'
import { renderJson, requireFields } from './terminal/render-json'
import { writeMessage } from './terminal/write-message'

const TrustAnswer = z.object({ file: z.string(), settings: z.array(z.string()), trusted: z.boolean() })
const ListAnswer = z.array(z.object({ file: z.string() }))

export const configTrust: StandaloneCommand = {
  define(command) {
    command.option('--revoke', 'Stop trusting the file').option('--list', 'List the files that you trust')
    return {
      about:
        'A studio.config.json comes with a repository. Its settings that choose a database, a tenant, a host, a model or credentials, ' +
        'or that weaken a protection, apply only while you trust the file. Trust a file again after it changes.',
      examples: ['studio config trust', 'studio config trust --revoke', 'studio config trust --list --json'],
      related: ['config list', 'doctor'],
    }
  },
  async run(command, { terminal, flags }) {
    const { revoke, list } = command.opts() as { revoke?: true; list?: true }
    if (revoke && list) throw new StudioError('invalid', 'Specify --revoke or --list, not both.')
    const paths = resolvePaths(terminal.env)
    if (list) {
      const files = listTrustedProjects(paths)
      if (flags.fields) requireFields(flags.fields, ListAnswer)
      const entries = files.map((file) => ({ file }))
      terminal.out(
        flags.json
          ? renderJson(entries, flags.fields, ListAnswer)
          : files.map((file) => `${printableLine(file)}\n`).join(''),
      )
      return 0
    }
    const path = findProjectFile(terminal.cwd)
    if (path === null)
      throw new StudioError(
        'not_found',
        'No studio.config.json that you own was found in this folder or a folder above it.',
      )
    const file = readProjectFile(path)
    if (flags.fields) requireFields(flags.fields, TrustAnswer)
    if (revoke) await revokeTrust(path, paths)
    else await trustProject(file, paths)
    const answer = { file: path, settings: [...file.keys], trusted: !revoke }
    if (flags.json) terminal.out(renderJson(answer, flags.fields, TrustAnswer))
    else if (!flags.quiet) {
      const sets = file.keys.length > 0 ? ` It sets ${file.keys.join(', ')}.` : ''
      writeMessage(terminal, `${revoke ? 'No longer trusted' : 'Trusted'}: ${printableLine(path)}.${sets}`)
    }
    return 0
  },
}
