import type { ConsoleHandler } from '../console-call'
import type { Html } from '../html'

const load = () => import('./run-action')

/** `runAction`, whose tables are loaded with the first form that is sent, and not before a service listens. */
export const runAction: ConsoleHandler = async (call) => (await load()).runAction(call)

/** The message above the page that an action led to. */
export async function actionNotice(done: string | undefined): Promise<Html | ''> {
  return done === undefined ? '' : (await load()).actionNotice(done)
}
