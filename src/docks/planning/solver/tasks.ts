import { pureTasks } from '../../../kernel'
import { planDay } from './plan-day'

/** What plans a day, which takes a thread for seconds. */
export const planningTasks = pureTasks('planning', { planDay })
