/** The description of the column `Name`; other columns of built-in kinds have none. */
export const nameDescription = 'The name of the object, unique among its kind and namespace.'
