vim9script
# Recovered edits: text that the user typed in proposals and that is in no file. The companion stores them until their
# file holds them or the user discards them.

import autoload 'ide_companion/comparison.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/text.vim'

# `companion/editsRecovered`
export def Recovered(params: dict<any>)
  say.Warn(printf('Your text is not in %s: %s   :IdeCompanion edits', params.label, params.reason))
enddef

# Shows at the start that this project has recovered edits.
export def Announce()
  stored.Announce('companion/edits', 'edits', Recovered, '%d texts of yours are not in their files   :IdeCompanion edits')
enddef

# Puts the text into the buffer of its file, as one unsaved change.
def Restore(edits: dict<any>, Close: func())
  Close()
  comparison.Restore(edits.filePath, edits.content)
  say.Info(':w saves your text, u undoes that: ' .. edits.label)
enddef

def Discard(edits: dict<any>, Close: func())
  if confirm(printf('Discard your text for %s for good?', edits.label), "&Discard\n&Cancel", 2) == 1
    stored.Request('companion/discardEdits', {id: edits.id}, (_) => {
      Close()
      say.Info(printf('Discarded: %s.', edits.label))
    })
  endif
enddef

# Opens a tab with the file on disk next to the text.
def Compare(edits: dict<any>)
  comparison.Open({
    label: edits.label,
    left: {whose: 'On disk', content: text.Read(edits.filePath), words: [edits.label .. ' on disk']},
    right: {whose: 'Your text', content: edits.content, words: ['r restores', 'd discards', 'q closes']},
    keys: {r: (Close: func()) => Restore(edits, Close), d: (Close: func()) => Discard(edits, Close)},
  })
  say.Info(edits.reason)
enddef

def Open(edits: dict<any>)
  stored.Request('companion/readEdits', {id: edits.id}, (result) => {
    Compare(result)
  })
enddef

# Lists them, and compares the chosen one with its file.
export def Show()
  stored.Request('companion/edits', {}, (result) => {
    stored.Choose(result.edits, 'Recovered edits', 'There are no recovered edits.', Open)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
