;;; ide-companion-send.el --- What you send to agents  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Puts files, lines, diagnostics and words into an agent's prompt.  You press
;; RET there.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-selection)
(require 'ide-companion-terminal)
(require 'ide-companion-text)

(declare-function dired-get-marked-files "dired")

(defun ide-companion--deliver (&rest message)
  "Put MESSAGE, the parameters of `companion/send', into an agent's prompt.
If the program reaches no prompt, type it into the terminal of the
latest agent here; without one, copy it."
  (let* ((process (ide-companion--latest-process))
         (folder (if process
                     (buffer-local-value 'default-directory ide-companion--latest)
                   default-directory))
         (answer (ide-companion--fetch
                  :companion/send
                  (append message
                          (unless (file-remote-p folder)
                            (list :folder (ide-companion--file-name (directory-file-name folder))))))))
    (if (and process (plist-get answer :types))
        (progn
          (ide-companion--type-prompt process (plist-get answer :copy))
          (ide-companion--say "The prompt in %s has it" (buffer-name ide-companion--latest)))
      (ide-companion--say "%s" (ide-companion--sentence (plist-get answer :message) answer)))))

(defun ide-companion--visited-file ()
  "The name of the file that the current buffer visits, as agents read it."
  (let ((file (ide-companion--file-buffer (current-buffer))))
    (unless file (user-error "This buffer visits no file"))
    (ide-companion--file-name (buffer-file-name file))))

(defun ide-companion--mention-lines (first last)
  "A reference to the lines FIRST to LAST of this buffer.
All lines of a file are the file."
  (append (list :path (ide-companion--visited-file))
          (unless (ide-companion--all-lines-p first last)
            (list :lines (list :first first :last last)))))

(defun ide-companion-send (first last)
  "Put a reference to the lines FIRST to LAST into an agent's prompt.
Interactively, use the lines of the region, or the current line.
All lines of a file are the file."
  (interactive (ide-companion--selected-lines))
  (ide-companion--deliver :mentions (vector (ide-companion--mention-lines first last))))

(defun ide-companion--read-files ()
  "The files that a command in this buffer is about.
In Dired, the marked ones, or the one at point; elsewhere, ask."
  (if (derived-mode-p 'dired-mode)
      (dired-get-marked-files)
    (list (read-file-name "Send: " nil buffer-file-name t))))

(defun ide-companion-send-files (files)
  "Put references to FILES, a list of names, into an agent's prompt.
Interactively, use the marked files of Dired or the one at point;
elsewhere, ask for one file."
  (interactive (list (ide-companion--read-files)))
  (let ((remote (seq-find #'file-remote-p files)))
    (when remote (user-error "%s is not on this machine" remote)))
  (ide-companion--deliver
   :mentions (vconcat (mapcar (lambda (file)
                                (list :path (ide-companion--file-name (directory-file-name file))))
                              files))))

(defun ide-companion-send-text (text &optional first last)
  "Put TEXT into an agent's prompt.
With a region, add a reference to its lines, FIRST to LAST."
  (interactive (cons (read-string "To the agent: ")
                     (and (use-region-p) (ide-companion--selected-lines))))
  (if (string-blank-p text)
      (user-error "There is nothing to send")
    (apply #'ide-companion--deliver :text (ide-companion--unicode text)
           (and first (list :mentions (vector (ide-companion--mention-lines first last)))))))

(defun ide-companion-send-diagnostics (first last)
  "Put what Flymake or Flycheck found into an agent's prompt.
Interactively, use the lines FIRST to LAST of the region, or the
current line; with a prefix argument, the whole buffer."
  (interactive (if current-prefix-arg
                   (list 1 (save-restriction
                             (widen)
                             (line-number-at-pos (point-max))))
                 (ide-companion--selected-lines)))
  (ide-companion--deliver :diagnostics (list :path (ide-companion--visited-file)
                                             :lines (list :first first :last last))))

(defun ide-companion--all-lines-p (first last)
  "Whether FIRST to LAST are all lines of this buffer, and several."
  (save-restriction
    (widen)
    (and (= first 1)
         (> last first)
         (= last (line-number-at-pos (max (point-min) (1- (point-max))) t)))))

(provide 'ide-companion-send)
;;; ide-companion-send.el ends here
