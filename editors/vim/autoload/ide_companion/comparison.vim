vim9script
# A tab with two texts next to each other, and keys: recovered edits, and what was decided earlier.

import autoload 'ide_companion/label.vim' as bar
import autoload 'ide_companion/tab_options.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/windows.vim'

# A view is a dictionary with its two `windows`; `from`, the window that the user came from; and `keys`. Its buffers have
# it, because several may be open.
def Close(view: dict<any>)
  for window in view.windows
    if windows.IsOpen(window)
      win_execute(window, 'silent! close')
    endif
  endfor
  win_gotoid(view.from)
enddef

# The user presses a key of the current comparison.
export def Press(key: string)
  const view: dict<any> = b:ide_companion_view
  const Act: func(func()) = view.keys[key]
  Act(() => Close(view))
enddef

# Shows one side in a new window, and returns that.
def Side(command: string, label: string, side: dict<any>, view: dict<any>): number
  execute 'silent keepalt' command text.NewBuffer(side.whose, label, side.content)
  diffthis
  setlocal bufhidden=wipe nomodifiable
  &l:filetype = get(side, 'filetype', '')
  b:ide_companion_view = view
  for key in keys(view.keys)
    execute printf("nnoremap <buffer> <nowait> %s <Cmd>call ide_companion#comparison#Press('%s')<CR>", key, key)
  endfor
  return win_getid()
enddef

# `comparison` has the `label` of the file, `left` and `right`, each with `words` for the line above it, `whose`, by which
# its buffer is named, `content` and perhaps `filetype`; and `keys`, functions by their keys, which get one that closes it.
export def Open(comparison: dict<any>)
  tab_options.Watch()
  const all: dict<any> = extendnew(comparison.keys, {q: (CloseIt: func()) => CloseIt()})
  final view = {windows: [], from: win_getid(), keys: all}
  const right = Side('tab sbuffer', comparison.label, comparison.right, view)
  const left = Side('leftabove vertical sbuffer', comparison.label, comparison.left, view)
  view.windows = [left, right]
  win_gotoid(right)
  wincmd =
  bar.SetTexts(left, comparison.left.words)
  bar.SetTexts(right, comparison.right.words)
enddef

defcompile
