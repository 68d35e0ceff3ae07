;;; ide-companion-stored.el --- Lists of what the program stores  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Recovered edits, and comments that wait, until the user has decided about
;; them; and what was decided earlier.  Each is a property list of :id, :agent,
;; :filePath, :label, :at and :reason, or :text.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-text)

(define-derived-mode ide-companion-stored-mode tabulated-list-mode "Stored"
  "A list of what the program stores until you decide about it."
  (setq tabulated-list-format [("File" 18 t) ("When" 11 t) ("Why" 34 t) ("Agent" 0 t)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

(defun ide-companion--stored-entry (stored)
  "STORED as a line of the list."
  (list stored (vector (plist-get stored :label)
                       (format-time-string "%m-%d %R" (/ (plist-get stored :at) 1000))
                       (or (plist-get stored :reason) (plist-get stored :text))
                       (plist-get stored :agent))))

(defun ide-companion--fetch-stored (method key)
  "What the program answers to METHOD under KEY, as a list."
  (append (plist-get (ide-companion--fetch method (make-hash-table)) key) nil))

(defun ide-companion--list-stored (name mode list help none)
  "Show LIST in the buffer NAME, which is in MODE, with the message HELP.
When it is empty, close that buffer, with the message NONE."
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (unless (derived-mode-p mode) (funcall mode))
      (setq tabulated-list-entries (mapcar #'ide-companion--stored-entry list))
      (tabulated-list-print t))
    (cond
     (list
      (pop-to-buffer buffer)
      (ide-companion--say "%s" help))
     (t
      (ide-companion--say "%s" none)
      (when (get-buffer-window buffer) (quit-windows-on buffer t))))))

(defun ide-companion--replace-text (file buffer)
  "Put the text of BUFFER into FILE, a buffer, unsaved, and kill BUFFER."
  (let ((coding (buffer-local-value 'buffer-file-coding-system buffer)))
    (pop-to-buffer file)
    (barf-if-buffer-read-only)
    ;; The text is that of the whole file, and the user sees and undoes all of it.
    (widen)
    (setq buffer-file-coding-system coding)
    (replace-buffer-contents buffer 1)
    (set-buffer-modified-p t)
    (kill-buffer buffer)))

(defun ide-companion--text-buffer (name path text)
  "A buffer called NAME with TEXT, in the mode of the file PATH."
  (with-current-buffer (get-buffer-create name)
    (setq default-directory (ide-companion--existing-folder path))
    (ide-companion--put-text text)
    (ide-companion--set-mode path)
    (ide-companion--show-direction-controls)
    (current-buffer)))

(defun ide-companion--stored-here (what)
  "What is stored at point.  WHAT names such things for people."
  (or (tabulated-list-get-id) (user-error "There are no %s here" what)))

(defun ide-companion--discard-stored (stored what method)
  "Forget STORED by METHOD after a question, and return whether it was.
WHAT names it for people, as in \"your edits of\"."
  (when (yes-or-no-p (format "Discard %s %s for good? " what (plist-get stored :label)))
    (ide-companion--fetch method (list :id (plist-get stored :id)))
    t))

(defun ide-companion--announce-stored (method key words)
  "Show a message about what the program has stored.
Its answer to METHOD has that under KEY.  WORDS is called with those
of the open folders, if there are any, and returns the message."
  (ide-companion--ask method (make-hash-table)
                      (lambda (answer _)
                        (let ((own (ide-companion--stored-of-project (append (plist-get answer key) nil))))
                          (when own
                            (ide-companion--say "%s" (funcall words own)))))))

(defun ide-companion--stored-of-project (list)
  "Those of LIST whose files are in the open folders."
  (ide-companion--filter
   (lambda (stored)
     (let ((path (plist-get stored :filePath)))
       (ide-companion--filter (lambda (root) (string-prefix-p (file-name-as-directory root) path))
                              ide-companion--roots)))
   list))

(provide 'ide-companion-stored)
;;; ide-companion-stored.el ends here
