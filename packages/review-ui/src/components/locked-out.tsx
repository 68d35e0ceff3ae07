/** Instead of the page, when the door does not know this browser. */
export function LockedOut() {
  return (
    <main class="whole-page">
      <h1>This page needs a new link</h1>
      <p>
        This link has been used, or the companion has been restarted. Open the link printed in the companion’s
        terminal; each link works once.
      </p>
      <p>
        Where nothing runs any more, run <code>ide-companion</code> in your folder: it prints a link and opens
        it.
      </p>
      <p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </main>
  );
}
