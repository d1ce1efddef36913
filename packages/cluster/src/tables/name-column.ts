/** What the column `Name` is; the only column of built-in kinds that explains itself. */
export const nameDescription = 'The name of the object, unique among its kind and namespace.'
