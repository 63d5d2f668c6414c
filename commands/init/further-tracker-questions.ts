import { loadSettings } from '../../src/config'
import { stripCredentials } from '../../src/config/services/credentials'
import { getCommandVariable, getTokenVariable, TrackerName } from '../../src/config/services/further-trackers'
import type { Invocation } from '../start/invocation'
import { ask } from '../terminal/ask'
import type { Asked } from './questions'
import { createTrackerQuestions, trackerChoices } from './tracker-questions'

const NOTHING_WRITTEN = 'Nothing was written.'

/** If a tracker is set already, asks whether to add another one. Returns its name; undefined to change the settings instead. */
export async function askForAddition(typed: Asked, { terminal }: Invocation): Promise<string | undefined> {
  const { url } = loadSettings(terminal).tracker
  if (url === null || Object.keys(typed).length > 0) return undefined
  const questions = [
    {
      type: 'select',
      name: 'step',
      message: `Your tracker is ${stripCredentials(url)}. What do you want to do?`,
      choices: [
        { name: 'Change the settings', value: 'change' },
        { name: 'Add another tracker', value: 'add' },
      ],
    },
    {
      type: 'input',
      name: 'add',
      message: 'A short name for the other tracker, such as gh:',
      validate: checkName,
      when: ({ step }: { step: string }) => step === 'add',
    },
  ]
  const { add }: { add?: string } = await ask(questions, NOTHING_WRITTEN)
  return add
}

/** Asks for what no flag gives about a tracker to add. */
export async function askForFurtherTracker(
  typed: Asked & { add: string; token: string | null },
  { terminal, signal }: Invocation,
): Promise<Asked & { token: string | null }> {
  const variables = [getTokenVariable(typed.add), getCommandVariable(typed.add)]
  const hasToken = typed.token !== null || variables.some((variable) => terminal.env[variable])
  const questions = [
    {
      type: 'select',
      name: 'trackerKind',
      message: 'Which tracker is it?',
      choices: trackerChoices,
      when: typed.trackerKind === undefined && typed.trackerUrl === undefined,
    },
    ...createTrackerQuestions({ ...typed, hasToken, tokenNote: ' (Enter for none)', signal }, () => true),
  ]
  const answers: Partial<Asked & { token: string }> = await ask(questions, NOTHING_WRITTEN)
  return { ...typed, ...answers, token: answers.token || typed.token }
}

function checkName(text: string): true | string {
  const { error } = TrackerName.safeParse(text)
  return error ? `The name ${error.issues[0]!.message}` : true
}
