/** Bytes of the longest message that an agent may send, on every transport. A proposal is always a whole file. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** For one whose message is longer. */
export const tooLong = `larger than ${maxMessageBytes >> 20} MiB, the most that is taken`;

/**
 * Bytes of ours that may wait for an end that does not read, and of one message of ours: a text of the user's may be
 * longer than the proposal, and there are several of them.
 */
export const maxUnreadBytes = 4 * maxMessageBytes;
