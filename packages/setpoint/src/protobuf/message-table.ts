/**
 * The fields of a protobuf message as text, and the messages of its fields, in order. Tables are
 * generated (`kinds/generated/messages/`) and read by `planOf`; as plain arrays they cost a bundle
 * little more than the names, and a bundler drops unused ones.
 *
 * The text has a word for each field, in the order of their numbers: `replicas:?i selector:!?m
 * template:!m 9paused:b`. A number precedes the name when field numbers are skipped. After the
 * colon are flags and a letter for the type; no letter means a string.
 *
 *     !  Go prints it even when it is zero      i integer    b boolean   f double   y bytes
 *     ?  a pointer: zero is a value             q quantity   o number or string     l list of strings
 *     *  a list                                 t time       u time with microseconds   d duration
 *     %  a map from strings                     j JSON       m the next message     r this message again
 *     ^  its fields belong to the outer object  A B S  this message again, or a list, a boolean, strings
 *
 * A message that is a whole object has its kind after an `@`: `m@v1/PersistentVolumeClaim`.
 */
export type MessageTable = readonly [fields: string, ...messages: MessageTable[]]
