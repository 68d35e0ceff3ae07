vim9script
# What was decided earlier: a list, each as a diff, and the ways to take it back or to put it in again.

import autoload 'ide_companion/comparison.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/text.vim' as text_of

# Whether the buffer of a file has changes that its file does not have: the change would not be the only one.
def HasUnsavedChanges(path: string): bool
  const buffer = text_of.BufferOf(path)
  return buffer > 0 && getbufvar(buffer, '&modified')
enddef

# Lets the server change the file's text as it is now, and shows that as an unsaved change. `kind` is undo or reapply;
# `what` names the result. Close closes the comparison.
def Rewrite(decision: dict<any>, kind: string, what: string, Close: func())
  stored.Request('companion/rewriteFile', {id: decision.id, kind: kind}, (result) => {
    if has_key(result, 'reason')
      say.Info(result.reason)
    elseif HasUnsavedChanges(result.filePath)
      say.Warn(decision.label .. ' has unsaved changes: write them first')
    else
      Close()
      comparison.Restore(result.filePath, result.content)
      say.Info(printf(':w saves %s, u undoes that: %s', what, decision.label))
    endif
  })
enddef

def Compare(decision: dict<any>)
  comparison.Open({
    label: decision.label,
    left: {whose: 'Before', content: decision.before ?? '', words: [decision.label .. ' before']},
    right: {whose: decision.agent, content: decision.after, words: ['u undoes', 'p puts it in', 'q closes']},
    keys: {
      u: (Close: func()) => Rewrite(decision, 'undo', 'the file without the change', Close),
      p: (Close: func()) => Rewrite(decision, 'reapply', 'your version', Close),
    },
  })
  say.Info(printf('%s: %s', decision.agent, decision.text))
enddef

def Open(decision: dict<any>)
  stored.Request('companion/readDecision', {id: decision.id}, (result) => {
    Compare(result)
  })
enddef

# Lists decisions about files of the open folders, newest first, and compares the chosen one. Only those whose file,
# agent or outcome holds `wanted`.
export def Show(wanted: string)
  stored.Request('companion/history', {}, (result) => {
    const all: list<dict<any>> = result.decisions
    const found = all->copy()->filter((_, one) => stridx(join([one.label, one.agent, one.text]), wanted) >= 0)
    stored.Choose(found, 'Decisions', 'Nothing of the kind has been decided.', Open)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
