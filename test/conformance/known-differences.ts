const keyOrder = 'the keys of an object are written in another order'
const quotedObject = 'the refusal quotes the object with its keys in another order'
const reviewManagers = 'reviews are answered without managed fields'
const tokenBytes = 'bytes that are no text are named otherwise'

/**
 * Cases that the embedded server answers otherwise, with the reason, by file and name. What belongs
 * together is explained in docs/reference/fidelity.md.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reads: {
    'pretty is asked for by a parameter': keyOrder,
    'pretty=1 is as good as true': keyOrder,
    'an object is served as protobuf when that is asked for': 'answers are never protobuf',
    'a table can be YAML': 'the descriptions of columns are shorter',
  },
  pages: {
    'a list with continue=nonsense answers alike': tokenBytes,
    'a list with continue=nonsense&limit=2 answers alike': tokenBytes,
  },
  updates: {
    'a merge patch of a wrong type is refused': quotedObject,
    'a merge patch of an unknown field is refused when strict': quotedObject,
    'a merge patch of the kind is refused': 'a patch of kind or apiVersion is ignored',
  },
  applying: {
    'an application that is no YAML is refused': 'the YAML reader has words of its own',
  },
  definitions: {
    'a definition with nothing is answered alike': 'a list that is missing is quoted as empty',
    'values for an embedded object are taken and refused alike':
      'unknown metadata of embedded objects is kept',
    'large numbers stay exact': keyOrder,
  },
  kinds: {
    'a minimal daemon set is answered alike':
      'the annotation the server adds has no entry in managed fields',
  },
  access: {
    'a review tells whether one may': reviewManagers,
    'an administrator may do everything': reviewManagers,
  },
}
