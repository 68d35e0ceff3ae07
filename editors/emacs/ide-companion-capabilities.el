;;; ide-companion-capabilities.el --- Optional capabilities for agents  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Opens files, opens links and reports diagnostics for agents.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-selection)
(require 'ide-companion-text)
(require 'ide-companion-windows)

(defun ide-companion--show-document (params)
  "`window/showDocument' with PARAMS: a link for the browser, if there is one."
  (let ((opened (and (eq t (plist-get params :external))
                     (or (display-graphic-p) (getenv "DISPLAY") (getenv "WAYLAND_DISPLAY"))
                     (ignore-errors (browse-url (plist-get params :uri)) t))))
    (list :success (if opened t :json-false))))

(defun ide-companion--open-file (params)
  "`companion/openFile' with PARAMS: show a file, and select no window for it."
  (unless (ide-companion--calm-p)
    (error "The user is in the middle of something"))
  (let* ((buffer (ide-companion--visit (ide-companion--local-name (plist-get params :path))))
         (window (display-buffer buffer '(nil (inhibit-same-window . nil)
                                              (reusable-frames . visible))))
         (line (plist-get params :line)))
    (unless window (error "There is no window for it"))
    (when line
      (let ((position (with-current-buffer buffer
                        (ide-companion--position-of line (or (plist-get params :character) 1)))))
        (set-window-point window position)
        (with-selected-window window
          (goto-char position)
          (recenter))))
    nil))

(declare-function flymake-diagnostics "flymake")
(declare-function flymake-diagnostic-beg "flymake")
(declare-function flymake-diagnostic-end "flymake")
(declare-function flymake-diagnostic-text "flymake")
(declare-function flymake-diagnostic-type "flymake")

(declare-function flycheck-error-checker "flycheck")
(declare-function flycheck-error-column "flycheck")
(declare-function flycheck-error-end-column "flycheck")
(declare-function flycheck-error-end-line "flycheck")
(declare-function flycheck-error-id "flycheck")
(declare-function flycheck-error-level "flycheck")
(declare-function flycheck-error-line "flycheck")
(declare-function flycheck-error-message "flycheck")
(defvar flycheck-current-errors)

(defun ide-companion--diagnostic (begin end severity text)
  "What was found between the positions BEGIN and END of this buffer.
SEVERITY is that of the protocol, and TEXT may be nil."
  (let ((first (ide-companion--cursor-at begin))
        (behind (ide-companion--cursor-at end)))
    (list :path (ide-companion--file-name buffer-file-name)
          :line (plist-get first :line)
          :character (plist-get first :character)
          :endLine (plist-get behind :line)
          :endCharacter (plist-get behind :character)
          :severity severity
          :message (ide-companion--unicode (or text "")))))

(defun ide-companion--flymake-diagnostics ()
  "What Flymake knows of this buffer, and Eglot by it."
  (mapcar (lambda (found)
            (ide-companion--diagnostic (flymake-diagnostic-beg found)
                                       (flymake-diagnostic-end found)
                                       (pcase (get (flymake-diagnostic-type found) 'flymake-category)
                                         ('flymake-error "error")
                                         ('flymake-warning "warning")
                                         (_ "info"))
                                       (flymake-diagnostic-text found)))
          (flymake-diagnostics)))

(defun ide-companion--flycheck-position (line column)
  "The position of LINE and COLUMN, which Flycheck counts in characters from 1.
Without a COLUMN, it is the end of the line."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line (1- line))
      (if column
          (min (+ (point) (1- column)) (line-end-position))
        (line-end-position)))))

(defun ide-companion--flycheck-diagnostic (found)
  "FOUND, an error of Flycheck, as the program wants it."
  (let* ((line (or (flycheck-error-line found) 1))
         (column (flycheck-error-column found))
         (begin (ide-companion--flycheck-position line (or column 1)))
         (end-line (flycheck-error-end-line found))
         (end (cond (end-line (ide-companion--flycheck-position
                               end-line (flycheck-error-end-column found)))
                    (column begin)
                    (t (ide-companion--flycheck-position line nil))))
         (level (flycheck-error-level found))
         (checker (flycheck-error-checker found))
         (id (flycheck-error-id found)))
    (append (ide-companion--diagnostic
             begin (max begin end)
             (if (memq level '(error warning)) (symbol-name level) "info")
             (flycheck-error-message found))
            (and checker (list :source (symbol-name checker)))
            (and id (list :code (format "%s" id))))))

(defun ide-companion--buffer-diagnostics (buffer)
  "What the checkers of BUFFER have found: Flymake and Flycheck."
  (with-current-buffer buffer
    (append (and (bound-and-true-p flymake-mode) (ide-companion--flymake-diagnostics))
            (and (bound-and-true-p flycheck-mode)
                 (mapcar #'ide-companion--flycheck-diagnostic flycheck-current-errors)))))

(defun ide-companion--diagnostics (params)
  "`companion/diagnostics' with PARAMS."
  (let* ((path (plist-get params :path))
         (buffers (if path
                      (list (ide-companion--buffer-of (ide-companion--local-name path)))
                    (buffer-list)))
         (known (seq-filter (lambda (buffer) (and buffer (buffer-file-name buffer)))
                            buffers)))
    (list :diagnostics (vconcat (apply #'append (mapcar #'ide-companion--buffer-diagnostics known))))))

(provide 'ide-companion-capabilities)
;;; ide-companion-capabilities.el ends here
