vim9script
# A tab with two texts next to each other, and keys: recovered edits, and what was decided earlier.

import autoload 'ide_companion/label.vim' as bar
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/windows.vim'

# The open one: its two windows, what its keys do, and the window that the user came from.
var view: dict<any> = {windows: [], keys: {}, from: 0}

export def Close()
  for window in view.windows
    if windows.IsOpen(window)
      win_execute(window, 'silent! close')
    endif
  endfor
  win_gotoid(view.from)
enddef

# The user presses a key of the comparison.
export def Press(key: string)
  const Act: func() = view.keys[key]
  Act()
enddef

# Shows one side in a new window, and returns that.
def Side(command: string, label: string, side: dict<any>, keys: list<string>): number
  execute 'silent keepalt' command text.NewBuffer(side.whose, label, side.content)
  windows.ForgetOptions()
  setlocal bufhidden=wipe nomodifiable
  diffthis
  for key in keys
    execute printf("nnoremap <buffer> <nowait> %s <Cmd>call ide_companion#comparison#Press('%s')<CR>", key, key)
  endfor
  return win_getid()
enddef

# `comparison` has the `label` of the file, `left` and `right`, each with `whose`, by which its buffer is named,
# `content` and `words` for the line above it; and `keys`, functions by their keys.
export def Open(comparison: dict<any>)
  view.from = win_getid()
  view.keys = extendnew(comparison.keys, {q: Close})
  const names: list<string> = keys(view.keys)
  const right = Side('tab sbuffer', comparison.label, comparison.right, names)
  const left = Side('leftabove vertical sbuffer', comparison.label, comparison.left, names)
  view.windows = [left, right]
  win_gotoid(right)
  wincmd =
  bar.SetTexts(left, comparison.left.words)
  bar.SetTexts(right, comparison.right.words)
enddef

# Puts a text into the buffer of its file, as one unsaved change.
export def Restore(path: string, content: string)
  execute 'hide edit' fnameescape(path)
  text.Replace(content)
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
