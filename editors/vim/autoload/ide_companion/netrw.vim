vim9script
# Files and folders in a window of netrw, Vim's own file browser.

export def IsHere(): bool
  return &filetype == 'netrw' && exists('b:netrw_curdir')
enddef

# The one on the line of the cursor. In a tree, each line has the folder that it is in.
def AtCursor(): string
  const word: string = call('netrw#Call', ['NetrwGetWord'])
  if get(w:, 'netrw_liststyle', 0) != 3
    return b:netrw_curdir .. '/' .. word
  endif
  const folder: string = call('netrw#Call', ['NetrwTreePath', w:netrw_treetop])
  return word =~ '/$' ? folder : folder .. '/' .. word
enddef

# Those that the user has marked, or else those on these lines. Absolute paths, folders without a slash at their end.
export def Entries(first: number, last: number): list<string>
  const marked: any = call('netrw#Expose', ['netrwmarkfilelist'])
  if type(marked) == v:t_list && !empty(marked)
    return mapnew(marked, (_, path) => ToPath(path))
  endif
  const view = winsaveview()
  var found: list<string> = []
  for line in range(first, last)
    # Lines of the banner begin like this.
    if getline(line) !~ '^"'
      cursor(line, view.col + 1)
      add(found, ToPath(AtCursor()))
    endif
  endfor
  winrestview(view)
  return found
enddef

def ToPath(name: string): string
  return simplify(fnamemodify(name, ':p'))->substitute('.\zs/\+$', '', '')
enddef
