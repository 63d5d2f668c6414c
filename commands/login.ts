import * as z from 'zod'
import { loadSettings, type Settings } from '../src/config'
import { stripCredentials } from '../src/config/services/credentials'
import { deleteLogin, openLoginStore, saveLogin } from '../src/config/services/logins'
import { readProxySettings } from '../src/config/services/proxy-settings'
import { createProxyFetch, logInWithDevice } from '../src/credentials'
import { StudioError } from '../src/kernel'
import { DEFAULT_TRACKER_NAME } from '../src/kernel/text/item-reference'
import { detectTrackerKind, type TrackerKind } from '../src/tracker/adapters'
import { getLoginProvider } from '../src/tracker/login-provider'
import { DEFAULT_SETTING_NAMES } from '../src/tracker/services/setting-names'
import { createUnknownTrackerError } from '../src/tracker/unknown-tracker'
import { callTracker } from './init/call-tracker'
import type { StandaloneCommand } from './operation/command-parts'
import { renderJson, requireFields } from './terminal/render-json'
import { writeMessage } from './terminal/write-message'

const LoginAnswer = z.object({ tracker: z.string(), name: z.string(), storedIn: z.string() })
const LogoutAnswer = z.object({ tracker: z.string(), signedOut: z.boolean() })

export const login: StandaloneCommand = {
  define(command) {
    command
      .argument('[tracker]', 'Name of another tracker in the settings (default: the default tracker)')
      .option(
        '--client-id <id>',
        'Client ID of the application that your organization has registered (default: the last one)',
      )
      .option('--tenant <id>', 'Entra ID: the directory of your organization (default: that of your account)')
      .option('--keychain', 'Store the sign-in in the keychain of this system, not in a file')
    return {
      about:
        'Prints an address and a code. Open the address in a browser on any device, enter the code and sign in. The tracker is called before ' +
        'the sign-in is stored, in the place of a stored token. It is renewed by itself. For GitHub the application is an OAuth app or a ' +
        'GitHub App with device flow, for Azure DevOps an application of Entra ID that allows public clients.',
      examples: [
        'studio login --client-id Iv1.0123456789abcdef',
        'studio login --client-id 2f1b6f4e-7a55-4a0e-9d3c-0c6f1f0a9b11 --tenant contoso.onmicrosoft.com',
        'studio login gh --keychain',
      ],
      related: ['logout', 'init', 'doctor'],
    }
  },
  async run(command, invocation) {
    const { terminal, flags, signal } = invocation
    if (flags.fields) requireFields(flags.fields, LoginAnswer)
    const [name = DEFAULT_TRACKER_NAME] = command.args
    const { clientId, tenant = null, keychain = false } = command.opts() as Options
    const settings = loadSettings(terminal)
    const tracker = findTracker(settings, name)
    const url = stripCredentials(tracker.url)
    const id = clientId || (await openLoginStore(settings.paths, url).read())?.clientId
    if (!id)
      throw new StudioError('invalid', 'Which application do you sign in with?', {
        hint: 'Add --client-id <id>. Your organization registers the application in GitHub or Entra ID: see docs/how-to/connect-a-tracker.md. Without one, let a program sign in: studio config set tracker.tokenCommand "gh auth token --hostname github.com"',
      })
    const found = await logInWithDevice(
      getLoginProvider(tracker, { clientId: id, tenant: tenant || null }),
      ({ url: address, code }) =>
        writeMessage(
          terminal,
          `Open ${address} in a browser, and enter the code ${code}. Waiting for it; Ctrl-C ends it.`,
        ),
      {
        fetch: createProxyFetch(readProxySettings(terminal.env)),
        signal,
        now: Date.now,
        code: 'tracker_token',
        loginCommand: tracker.loginCommand,
      },
    )
    const checked = await callTracker({ ...tracker, token: found.accessToken }, invocation)
    const storedIn = await saveLogin(settings.paths, { url, login: found, inKeychain: keychain })
    const answer = { tracker: name, name: checked.name, storedIn }
    if (flags.json) terminal.out(renderJson(answer, flags.fields, LoginAnswer))
    else if (!flags.quiet) writeMessage(terminal, `Signed in to ${checked.name}. Stored in ${storedIn}.`)
    const { tokenVariable } = tracker
    if (terminal.env[tokenVariable]) writeMessage(terminal, `${tokenVariable} is set, and comes before the sign-in.`)
    return 0
  },
}

export const logout: StandaloneCommand = {
  define(command) {
    command.argument('[tracker]', 'Name of another tracker in the settings (default: the default tracker)')
    return {
      about: 'Deletes the stored sign-in. The provider keeps the application until you remove it there.',
      examples: ['studio logout', 'studio logout gh'],
      related: ['login', 'config list'],
    }
  },
  async run(command, { terminal, flags }) {
    if (flags.fields) requireFields(flags.fields, LogoutAnswer)
    const [name = DEFAULT_TRACKER_NAME] = command.args
    const settings = loadSettings(terminal)
    const { url } = findTracker(settings, name)
    const signedOut = await deleteLogin(settings.paths, stripCredentials(url))
    if (flags.json) terminal.out(renderJson({ tracker: name, signedOut }, flags.fields, LogoutAnswer))
    else if (!flags.quiet)
      writeMessage(
        terminal,
        signedOut ? `The sign-in to ${stripCredentials(url)} was deleted.` : 'There was no sign-in.',
      )
    return 0
  },
}

interface Options {
  clientId?: string
  tenant?: string
  keychain?: true
}

type SetTracker = Pick<Settings['tracker'], 'project' | 'account' | 'board' | 'typeLabels'> & {
  url: string
  kind: TrackerKind
  /** The variable of a token, which comes before a sign-in. */
  tokenVariable: string
  loginCommand: string
}

function findTracker(settings: Settings, name: string): SetTracker {
  const further = settings.trackers.find((tracker) => tracker.name === name)
  const found = name === DEFAULT_TRACKER_NAME ? settings.tracker : further
  if (found === undefined) {
    const known = settings.trackers.map((tracker) => tracker.name)
    throw createUnknownTrackerError(name, known)
  }
  if (found.url === null)
    throw new StudioError('invalid', 'No tracker is set, and the sandbox needs no sign-in.', {
      hint: 'Set its address first: studio config set tracker.url https://github.com/acme/harbor',
    })
  const { url, project, account, board, typeLabels } = found
  const kind = found.kind ?? detectTrackerKind(url)
  const { token: tokenVariable, login: loginCommand } = further?.settingNames ?? DEFAULT_SETTING_NAMES
  return { url, kind, project, account, board, typeLabels, tokenVariable, loginCommand }
}
