import type { ExperimentAssignment } from '@switchyard/events'

/** What an answer adds for a payment that counts in an experiment: which one, and its arm (analytics.md 6.3). */
export const experimentAnswer = (
  assignment: ExperimentAssignment | null,
): { readonly experiment?: { readonly id: string; readonly arm: string } } =>
  assignment === null || assignment.exclusion !== null
    ? {}
    : { experiment: { id: assignment.experimentId, arm: assignment.arm.toLowerCase() } }
