import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StudioError } from '../src/kernel'
import { DAY_MS } from '../src/kernel/time'
import { makeTemporaryFolder } from '../src/storage'
import type { StandaloneCommand } from './operation/command-parts'
import { foldHelp } from './start/help'
import type { Invocation } from './start/invocation'
import { canvasFor } from './terminal/colors'
import type { Colors } from './terminal/layout'
import { memoryTerminal } from './terminal/terminal'
import { wrapCommandLine, wrapText } from './terminal/wrap-text'

/** A step of the tour: what it shows, and the command as a user types it. */
interface Step {
  title: string
  command: string
  /** Absent for 0. */
  exitCode?: number
  /** Takes what later steps need out of the output. */
  learn?(output: string, facts: Map<string, string>): void
}

const sections: readonly { heading: string; steps: readonly Step[] }[] = [
  {
    heading: 'Story studio: a local workspace for work items of a tracker',
    steps: [
      { title: 'Import a whole feature tree', command: 'studio import 101' },
      { title: 'Search everything at once', command: 'studio search "dock door" --limit 3' },
      {
        title: 'Copy a story into a draft, without people, secrets and leftover markup',
        command: 'studio copy-sanitize 204',
      },
      { title: 'Show the draft', command: 'studio draft get 1' },
      {
        title: 'Preview an update of several items',
        command: 'studio batch-update 343 344 --set Priority=1 --dry-run',
      },
      {
        title: 'Apply it; items that changed meanwhile are not overwritten',
        command: 'studio batch-update 343 344 --set Priority=1 --yes',
      },
      { title: 'Show the files that are attached to a story', command: 'studio item attachments 204' },
      {
        title: 'Move an item into the next state of its workflow',
        command: 'studio item move 344 Active --yes',
      },
      { title: 'Write a briefing that can be forwarded as it is', command: 'studio brief --mode deterministic' },
    ],
  },
  {
    heading: 'Dock scheduling: appointments that never double-book',
    steps: [
      {
        title: 'Create a facility with two doors',
        command:
          'studio facility create --code DC1 --name "North" --time-zone America/Chicago --queue "mon-fri 06:00-18:00" --break "mon-fri 12:00-12:30" --door "Door 1" --door "Door 2"',
      },
      {
        title: 'Book the earliest slot that fits',
        command:
          'studio book --facility DC1 --type delivery --carrier "Acme Freight" --reference PO-1001 --date {monday} --pallets 20',
        learn: (output, facts) =>
          facts.set('appointment', /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(output)?.[0] ?? ''),
      },
      {
        title: 'Booking the same reference again is rejected',
        command:
          'studio book --facility DC1 --type delivery --carrier "Acme Freight" --reference PO-1001 --date {monday}',
        exitCode: 2,
      },
      { title: 'Move it to the next day', command: 'studio reschedule {appointment} --date {tuesday}' },
      {
        title: 'List the appointments',
        command: 'studio appointment list --facility DC1 --from {monday} --to {tuesday}',
      },
    ],
  },
]

export const demo: StandaloneCommand = {
  define: () => ({
    about:
      'Runs real commands on the sandbox and on a facility with two doors, in a temporary folder that is removed at the end. Your own data is neither read nor changed.',
    examples: ['studio demo'],
    related: ['import', 'search', 'book'],
  }),

  async run(_command, invocation) {
    const home = await makeTemporaryFolder('studio-demo-')
    try {
      // The nearest settings file wins, so an empty one excludes any other, and its tracker, from the tour.
      await writeFile(join(home, 'studio.config.json'), '{}')
      await runTour(home, invocation)
      return 0
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  },
}

async function runTour(home: string, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation
  const { colors, width } = canvasFor('out', invocation)
  const facts = new Map(Object.entries(getDemoDates(new Date())))
  for (const { heading, steps } of sections) {
    terminal.out(`\n${colors.strong(wrapText(heading, width))}\n`)
    for (const step of steps) {
      signal.throwIfAborted()
      const output = await runStep(step, { home, facts, colors, width, invocation })
      step.learn?.(output, facts)
    }
  }
  terminal.out(renderNextSteps(colors, width))
}

interface DemoContext {
  home: string
  facts: ReadonlyMap<string, string>
  colors: Colors
  width: number | null
  invocation: Invocation
}

async function runStep(step: Step, { home, facts, colors, width, invocation }: DemoContext): Promise<string> {
  const { terminal, flags, signal } = invocation
  const typed = step.command.replace(/\{(\w+)\}/g, (_, name: string) => facts.get(name) ?? '')
  const title = wrapText(`# ${step.title}`, width)
  const line = wrapCommandLine(`$ ${typed}`, width)
  terminal.out(`\n${colors.faint(title)}\n${colors.accent('$')}${line.slice(1)}\n`)
  const shown = memoryTerminal({
    outIsTty: terminal.outIsTty,
    width: terminal.width,
    env: demoEnvironment(terminal.env, home),
    cwd: home,
  })
  const argv = [...splitWords(typed).slice(1), '--quiet', ...(flags.noColor ? ['--no-color'] : [])]
  const exitCode = await invocation.runCommand(argv, shown, signal)
  terminal.out(shown.output + wrapText(shown.errors, width))
  if (exitCode !== (step.exitCode ?? 0)) throw new StudioError('internal', `The demonstration failed at: ${typed}`)
  return shown.output
}

/** Without the user's settings, so that none of their data is touched. */
function demoEnvironment(env: NodeJS.ProcessEnv, home: string): NodeJS.ProcessEnv {
  const rest = Object.entries(env).filter(([name]) => !name.startsWith('STUDIO_'))
  return { ...Object.fromEntries(rest), STUDIO_HOME: home }
}

/** Splits a command line as a shell does, as far as double quotes go. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
}

/** The next Monday and the day after, as dates: the dock takes no appointment in the past. */
function getDemoDates(now: Date): { monday: string; tuesday: string } {
  const toMonday = ((8 - now.getUTCDay()) % 7 || 7) + 7
  const day = (offset: number) => new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  return { monday: day(toMonday), tuesday: day(toMonday + 1) }
}

function renderNextSteps(colors: Colors, width: number | null): string {
  const lines = [
    '',
    colors.strong('Next steps'),
    '  studio import 101   do the same in your own workspace, on the sandbox',
    '  studio --help       list all commands',
    '  studio serve        serve the same operations as an HTTP API',
    '  studio init         connect your own tracker instead of the sandbox',
    '',
  ]
  return width === null ? lines.join('\n') : foldHelp(lines.join('\n'), width)
}
