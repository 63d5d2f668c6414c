import * as z from 'zod'
import { AppointmentType, CalendarDate, FacilityName, Instant } from '../schemas'
import { planObjectives } from './rules/day-problem'

/** The fields that say which plan is meant. */
export const planFields = {
  id: FacilityName,
  date: CalendarDate.optional().describe('Date at the facility; today by default'),
  objective: z
    .enum(planObjectives)
    .default('on-time')
    .describe('What to keep low first: the total delay, the number of moves, or the number of doors'),
}

export const PlanMove = z.object({
  id: z.string(),
  referenceNumber: z.string(),
  carrierName: z.string(),
  type: AppointmentType,
  startTime: Instant.describe('Start as booked'),
  doorName: z.string().describe('Door as booked'),
  newStartTime: Instant,
  newEndTime: Instant,
  newDoorName: z.string(),
  delayMinutes: z.int().describe('How much later than booked it starts; 0 if it starts as booked or earlier'),
  reason: z.string(),
  together: z.array(z.string()).describe('References of the other moves that it needs, or that need it'),
})
export type PlanMove = z.output<typeof PlanMove>

export const DayPlanAnswer = z.object({
  facilityCode: z.string(),
  timeZone: z.string(),
  date: z.string(),
  objective: z.enum(planObjectives),
  generatedAt: Instant,
  appointments: z.int().describe('Number of appointments of the date that may move'),
  moves: z.array(PlanMove).describe('By new start'),
  unplaced: z
    .array(
      z.object({
        ...{ id: z.string(), referenceNumber: z.string(), carrierName: z.string() },
        ...{ startTime: Instant, doorName: z.string(), reason: z.string() },
      }),
    )
    .describe('Appointments for which the rest of the date has no place. They stay where they are booked'),
  delayMinutes: z
    .number()
    .describe('Minutes of delay of all moves. A minute of a truck that waits in the yard counts twice'),
  least: z
    .object({ value: z.number(), unplaced: z.int(), percentAbove: z.number().nullable() })
    .nullable()
    .describe(
      'What no plan can be below: delayMinutes, or the number of moves or doors for the other objectives; how few appointments can be without a place; and how far the plan is above the value, null if the value is 0 and the plan is not. Null if the time did not suffice to know it',
    ),
  message: z.string().describe('The plan in a sentence or two'),
})
export type DayPlanAnswer = z.output<typeof DayPlanAnswer>
