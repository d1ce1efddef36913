/**
 * How long reconciles in progress may take to finish at a stop, unless the options say otherwise.
 */
export const gracePeriodDefault = '20s'
