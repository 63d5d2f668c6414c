/** What happens to a truck, beside the status of its appointment. */
export const appointmentSteps = [
  'checked_in',
  'at_door',
  'loading',
  'completed',
  'departed',
  'no_show',
  'turned_away',
] as const
export type AppointmentStep = (typeof appointmentSteps)[number]

/** What a change of an appointment was. A step is a change too. */
export const changeKinds = [
  'booked',
  'rescheduled',
  'updated',
  'swapped',
  'cancelled',
  'reopened',
  ...appointmentSteps,
  'undone',
] as const
export type ChangeKind = (typeof changeKinds)[number]
