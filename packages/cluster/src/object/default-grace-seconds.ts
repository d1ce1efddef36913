/** The default of a pod's `terminationGracePeriodSeconds`. */
export const defaultGraceSeconds = 30
